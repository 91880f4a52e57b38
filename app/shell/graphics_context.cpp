#include "shell/graphics_context.h"

#include <glad/gl.h>
#include <imgui_impl_null.h>

namespace stridescope::shell {

Result<void> NullContext::startBackends() {
  ImGui_ImplNullRender_Init();
  ImGui::GetIO().BackendRendererName = "none";
  return {};
}

void NullContext::stopBackends() { ImGui_ImplNullRender_Shutdown(); }

void NullContext::beginFrame() {
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = {static_cast<float>(size_.width), static_cast<float>(size_.height)};
  io.DeltaTime = 1.0f / 60;
}

std::optional<ImVec2> NullContext::secondWindow(const std::string* title) {
  if (title == nullptr) return std::nullopt;
  return ImVec2{float(size_.width) / 2, float(size_.height) / 2};
}

void NullContext::endFrame(ImDrawData& data, ImU32) { ImGui_ImplNullRender_RenderDrawData(&data); }

std::string openGlDescription() {
  const auto text = [](GLenum name) {
    const GLubyte* value = glGetString(name);
    return std::string(value == nullptr ? "unknown" : reinterpret_cast<const char*>(value));
  };
  return "OpenGL " + text(GL_VERSION) + ", " + text(GL_RENDERER);
}

}  // namespace stridescope::shell
