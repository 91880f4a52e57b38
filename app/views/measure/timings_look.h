// How a line of the Timings panel looks, the same in every plot.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "draw/plot_marks.h"
#include "views/measure/timings_state.h"
#include "views/shared/view_context.h"

namespace stridescope::views {

struct LineLook {
  ImU32 colour = 0;
  draw::PlotMark mark = draw::PlotMark::Circle;
  float widthPx = 2;
  bool selected = false;  // the variant that the window shows: orange, thicker, drawn last
  bool filled = true;     // false: recorded, not measured now
};
LineLook lookOf(const ViewContext& view, const TimingsState& state, const TimingLine& line);

// The lines that a tab draws, the selected one last.
std::vector<const TimingLine*> shownLines(const ViewContext& view, const TimingsState& state, TimingsTab tab);

// The name on a label; a variant's begins with the number of the Ladder panel.
enum class NameLength {
  Full,    // "7 several elements per thread", "CUB DeviceReduce"
  Short,   // "7 several elements", "CUB"
  Number,  // "7"; baselines as in Short
};
std::string nameOf(const TimingLine& line, NameLength length = NameLength::Full);

// What tells a title from its neighbours' at a glance: what stands after its last comma, and of that the
// first words. "interleaved, modulo" becomes "modulo".
std::string shortTitle(std::string_view title);

// What a baseline's time holds that others' does not; empty: nothing.
std::string whatElseIsTimed(const model::TimingSubject& subject);

// Where a line's times come from: "measured here on NVIDIA H100", or "recorded on ..., not live".
std::string originOf(const TimingLine& line);

}  // namespace stridescope::views
