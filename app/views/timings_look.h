// How a line of the Timings panel looks, the same in every plot.
#pragma once

#include "draw/plot_marks.h"
#include "views/timings_state.h"
#include "views/view_context.h"

namespace stridescope {

struct LineLook {
  ImU32 colour = 0;
  PlotMark mark = PlotMark::Circle;
  float widthPx = 2;
  bool selected = false;  // the variant that the window shows: orange, thicker, drawn last
  bool filled = true;     // false: recorded, not measured now
};
LineLook lookOf(const ViewContext& view, const TimingsState& state, const TimingLine& line);

// The lines that a tab draws, the selected one last.
std::vector<const TimingLine*> shownLines(const ViewContext& view, const TimingsState& state, TimingsTab tab);

// The name on a label: "3 sequential" has the number of the Ladder panel; shorter where there is little room.
std::string nameOf(const TimingLine& line);
std::string shortNameOf(const TimingLine& line);

}  // namespace stridescope
