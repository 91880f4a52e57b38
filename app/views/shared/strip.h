// A fixed strip of the window, outside the dock space.
#pragma once

#include "imgui.h"

namespace stridescope::views {

// Ends with ImGui::End(), whatever it returns.
inline bool beginStrip(const char* name, ImVec2 min, ImVec2 max, ImGuiWindowFlags flags = 0) {
  ImGui::SetNextWindowPos(min);
  ImGui::SetNextWindowSize({max.x - min.x, max.y - min.y});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2{0, 0});
  const bool shown = ImGui::Begin(name, nullptr,
                                  ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                      ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoDocking |
                                      ImGuiWindowFlags_NoBringToFrontOnFocus | flags);
  ImGui::PopStyleVar();
  return shown;
}

}  // namespace stridescope::views
