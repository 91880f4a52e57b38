// Above the plots of the Timings panel: buttons, the menu, and the line that says what is going on and
// whose times these are.
#pragma once

#include "views/measure/timings_plot.h"

namespace stridescope::views {

// What stands under each tab of the Timings panel.

// One tab's ground and tools.
struct TimingsScene {
  ViewContext& view;
  TimingsState& state;
  ImDrawList& list;
  ImVec2 min, max;
  bool menuWanted = false;  // a click with the right button

  const TimingsPicture& picture() const { return view.times.picture; }
};

void drawLiveTab(TimingsScene& scene);
void drawLadderTab(TimingsScene& scene);
void drawSizesTab(TimingsScene& scene);
void drawBlocksTab(TimingsScene& scene);

// Whether times that others printed stand beside ours: they are of ints and +, on one GPU.
inline bool showsPublished(const TimingsScene& scene) {
  const TimingFilter& filter = scene.picture().filter;
  return scene.state.published && filter.gpus == 0 && filter.op == model::Operator::Add &&
         filter.type == model::ElementType::Int;
}

// The marks of what was published and whose they are, from the right of the scene's first line; where that
// line's `title` leaves too little room, on lines of their own, which are taken from the scene's upper edge.
// Returns where what stands below it may start.
float drawPublishedKey(TimingsScene& scene, const char* title);

// A sentence in the middle of a tab without anything to draw.
void drawNothing(TimingsScene& scene, const std::string& sentence);

// Each takes its room from the scene's upper edge.
void drawTimingControls(TimingsScene& scene);
void drawTimingStatus(TimingsScene& scene);

// In place of the plots while there is nothing to plot: what a start does, and its button.
void drawTimingStart(TimingsScene& scene);

// Opens when the scene wants it.
void drawTimingMenu(TimingsScene& scene);

}  // namespace stridescope::views
