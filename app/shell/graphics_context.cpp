#include "shell/graphics_context.h"

#include <glad/gl.h>
#include <imgui_impl_null.h>

#include <algorithm>

#include "base/pending_file.h"
#include "picture/image.h"

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

Image cropped(const Image& image, ImVec2 min, ImVec2 max) {
  const int left = std::clamp(int(min.x), 0, image.size.width),
            top = std::clamp(int(min.y), 0, image.size.height);
  const int right = std::clamp(int(max.x), left, image.size.width),
            bottom = std::clamp(int(max.y), top, image.size.height);
  Image part{{right - left, bottom - top}, {}};
  for (int y = top; y < bottom; ++y) {
    const auto row = image.rgba.begin() + (std::ptrdiff_t(y) * image.size.width + left) * 4;
    part.rgba.insert(part.rgba.end(), row, row + std::ptrdiff_t(part.size.width) * 4);
  }
  return part;
}

Result<void> writePng(const std::filesystem::path& path, const Image& image, bool overwrite) {
  const auto encoded = picture::pngOf(image);
  if (!encoded) return tl::unexpected(encoded.error());
  if (const auto written = writeWhole(path, *encoded, overwrite); !written)
    return tl::unexpected(written.error());
  return {};
}

}  // namespace stridescope::shell
