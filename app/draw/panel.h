// A docked panel: its ground and its title line. Where it has less room than it needs, it scrolls.
#pragma once

#include <string_view>

#include "draw/draw_context.h"
#include "imgui.h"

namespace stridescope::draw {

struct PanelSpec {
  const char* name = "";        // the title, and the name that a layout docks the panel by
  std::string_view title = {};  // shown in place of the name, where that does not stand on a tab
  std::string_view note = {};   // dim, at the right of the title or tab line; left out where it does not fit
  bool hasControlsInTitle = false;  // keeps the title line's room when the panel's name stands on a tab
  float leastWidth = 0;             // units; the whole panel's: insets, title and tab included
  float leastHeight = 0;
  bool* open = nullptr;  // a panel that can be closed
};

struct LegendVote {
  bool hasRoom = true;  // this panel
  bool both = true;     // this one and the one beside it, in the frame before
};

// Where panels stand that are not docked, while DrawContext::stand says so: the same panel may then be there
// several times.
struct PanelStand {
  ImVec2 min, max;            // pixels of the screen
  std::string_view id = {};   // tells it from others of its name: "left"
  bool isNamedAbove = false;  // on a line of kPanelTitleHeight above it, as by a tab
  float noteLeft = 0;         // where that line has room for the panel's note, pixels
  LegendVote* legend = nullptr;
};

// Whether the panel shows its legend, for which it has room or not. Where it stands beside one of its kind,
// both show theirs, or neither does: from the next frame on.
inline bool showsLegend(const DrawContext& context, bool hasRoom) {
  LegendVote* const vote = context.stand == nullptr ? nullptr : context.stand->legend;
  if (vote != nullptr) vote->hasRoom = hasRoom;
  return hasRoom && (vote == nullptr || vote->both);
}

// Begins the window in its constructor and ends it in its destructor:
//   if (Panel panel(context, {.name = "Lanes", .leastWidth = 268}); panel) { draw inside panel }
// A person moves a docked panel by dragging its title line, whether or not its tab is shown.
class Panel {
 public:
  Panel(DrawContext& context, const PanelSpec& spec);
  Panel(const Panel&) = delete;
  Panel& operator=(const Panel&) = delete;
  ~Panel();

  // False when nothing of the panel is to be drawn: it is behind another tab.
  explicit operator bool() const { return drawn_; }

  // The room inside the insets and under the title line, in pixels of the screen. It goes beyond the window
  // where the panel scrolls.
  ImVec2 contentMin() const { return contentMin_; }
  ImVec2 contentMax() const { return contentMax_; }

  // Where the title ends: controls of the title line may start there. The line is kPanelTitleHeight high.
  // Under a tab there is no title, and no line unless hasControlsInTitle.
  ImVec2 titleEnd() const { return titleEnd_; }
  bool hasTitle() const { return titleEnd_.x > contentMin_.x; }
  // And where they must end: before the note, if it stands on that line.
  float titleRight() const { return titleRight_; }

  ImDrawList& list() const { return *ImGui::GetWindowDrawList(); }

 private:
  bool drawn_ = false, isScrolled_ = false;
  ImVec2 contentMin_, contentMax_, titleEnd_;
  float titleRight_ = 0;
};

}  // namespace stridescope::draw
