#include "shell/frame_capture.h"

#include <glad/gl.h>

#include <algorithm>
#include <cmath>

namespace stridescope::shell {

// Dear ImGui calls back where the list stands: after all windows, before the frame is shown.
FrameCapture::FrameCapture(ImVec2 min, ImVec2 max) : min_(min), max_(max) {
  ImGui::GetForegroundDrawList()->AddCallback(read, this);
}

void FrameCapture::read(const ImDrawList*, const ImDrawCmd* command) {
  auto& capture = *static_cast<FrameCapture*>(command->UserCallbackData);
  const ImGuiIO& io = ImGui::GetIO();
  const ImVec2 scale = io.DisplayFramebufferScale;
  const int width = int(io.DisplaySize.x * scale.x), height = int(io.DisplaySize.y * scale.y);
  const int left = std::clamp(int(std::floor(capture.min_.x * scale.x)), 0, width);
  const int top = std::clamp(int(std::floor(capture.min_.y * scale.y)), 0, height);
  const int right = std::clamp(int(std::ceil(capture.max_.x * scale.x)), left, width);
  const int bottom = std::clamp(int(std::ceil(capture.max_.y * scale.y)), top, height);
  Image& picture = capture.picture_;
  picture.size = {right - left, bottom - top};
  const std::size_t rowBytes = std::size_t(picture.size.width) * 4;
  picture.rgba.resize(rowBytes * std::size_t(picture.size.height));
  if (picture.rgba.empty()) return;
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(left, height - bottom, picture.size.width, picture.size.height, GL_RGBA, GL_UNSIGNED_BYTE,
               picture.rgba.data());
  for (int y = 0; y < picture.size.height / 2; ++y)  // OpenGL's rows go up
    std::swap_ranges(
        picture.rgba.begin() + std::ptrdiff_t(std::size_t(y) * rowBytes),
        picture.rgba.begin() + std::ptrdiff_t(std::size_t(y + 1) * rowBytes),
        picture.rgba.begin() + std::ptrdiff_t(std::size_t(picture.size.height - 1 - y) * rowBytes));
  for (std::size_t i = 3; i < picture.rgba.size(); i += 4) picture.rgba[i] = 255;
}

}  // namespace stridescope::shell
