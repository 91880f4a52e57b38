// Where everything of two runs that are compared stands. Pure.
#pragma once

#include <string>

#include "analysis/compared_sides.h"
#include "imgui.h"
#include "views/shared/panel.h"
#include "views/shared/view_context.h"

namespace stridescope::views {

struct Box {
  ImVec2 min, max;  // pixels
  float width() const { return max.x - min.x; }
  float height() const { return max.y - min.y; }
  bool isEmpty() const { return width() <= 0 || height() <= 0; }
};

// From above: who the side is, its memory, the lines of its kernel that differ, and a map below its tabs.
struct CompareColumn {
  Box head, memory, source, tabs, map;  // all but the head may be empty
};

struct CompareLayout {
  analysis::BothSides<CompareColumn> sides;
  Box middle;  // what differs
};

struct CompareRoom {
  ImVec2 min, max;       // pixels
  float unit = 1;        // pixels of a unit
  float gap = 8;         // pixels between panels
  float sourceRows = 0;  // units: what the lines that differ would take
};

// Two columns of one width and the middle one between them. Where there is too little room the lines of the
// kernels go first, then the maps; the middle column stays. A narrow and high room has the sides below each
// other, and the middle column beside both; one that is too narrow for memory has the maps in its place.
CompareLayout layOutCompare(const CompareRoom& room);

inline constexpr float kCompareHead = 32, kCompareTabs = 32, kMiddleWidth = 240;  // units

// A part of the Compare mode that is no panel: a window that stands where it is put.

// Begins the window in its constructor and ends it in its destructor.
class PartWindow {
 public:
  PartWindow(const std::string& name, const Box& box) {
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2{1, 1});
    beginStrip(name.c_str(), box.min,
               {std::max(box.min.x + 1, box.max.x), std::max(box.min.y + 1, box.max.y)},
               ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoFocusOnAppearing |
                   ImGuiWindowFlags_NoScrollWithMouse);
    ImGui::PopStyleVar();
  }
  PartWindow(const PartWindow&) = delete;
  PartWindow& operator=(const PartWindow&) = delete;
  ~PartWindow() {
    ImGui::Dummy({0, 0});
    ImGui::End();
  }

  ImDrawList& list() const { return *ImGui::GetWindowDrawList(); }
};

}  // namespace stridescope::views
