// Above the plots of the Timings panel: buttons, the menu, and the line that says what is going on and
// whose times these are.
#pragma once

#include "views/measure/timings_tabs.h"

namespace stridescope::views {

// Each takes its room from the scene's upper edge.
void drawTimingControls(TimingsScene& scene);
void drawTimingStatus(TimingsScene& scene);

// In place of the plots while there is nothing to plot: what a start does, and its button.
void drawTimingStart(TimingsScene& scene);

// Opens when the scene wants it.
void drawTimingMenu(TimingsScene& scene);

// What a start on this tab goes through, and what its button says.
session::TimingSweep sweepOf(TimingsTab tab);
const char* startLabelOf(TimingsTab tab);

// "Live on NVIDIA H100": what the status line says first.
std::string timingStatusText(const TimingsPicture& picture, const TimingsState& state,
                             const session::Measurements& measurements);

}  // namespace stridescope::views
