// A part of the Compare mode that is no panel: a window that stands where it is put.
#pragma once

#include <string>

#include "views/compare/compare_layout.h"
#include "views/shared/strip.h"
#include "views/shared/view_context.h"

namespace stridescope::views {

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
