// Whether the editor of a person's own kernel has the keyboard: then letters and arrows are its own.
#pragma once

#include <cstring>

#include "imgui_internal.h"

namespace stridescope::views {

// The name of the editor's part of the Source panel, within that of its window.
inline constexpr const char* kEditorName = "kernel text";

// In the current Dear ImGui context.
inline bool editorHasKeys() {
  const ImGuiWindow* const window = ImGui::GetCurrentContext()->NavWindow;
  // In the frame it becomes active when it is drawn.
  return window != nullptr && (window->Active || window->WasActive) &&
         std::strstr(window->Name, kEditorName) != nullptr;
}

}  // namespace stridescope::views
