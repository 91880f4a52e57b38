// A part of the Compare mode that is no panel: a window that stands where it is put.
#pragma once

#include <string>

#include "views/compare/compare_layout.h"
#include "views/shared/view_context.h"

namespace stridescope::views {

// Begins the window in its constructor and ends it in its destructor.
class PartWindow {
 public:
  PartWindow(const std::string& name, const Box& box) {
    ImGui::SetNextWindowPos(box.min);
    ImGui::SetNextWindowSize({std::max(1.0f, box.width()), std::max(1.0f, box.height())});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2{0, 0});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2{1, 1});
    ImGui::Begin(name.c_str(), nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoDocking |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus |
                     ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoFocusOnAppearing |
                     ImGuiWindowFlags_NoScrollWithMouse);
    ImGui::PopStyleVar(2);
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
