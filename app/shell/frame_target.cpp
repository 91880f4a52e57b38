#include "shell/frame_target.h"

#include <glad/gl.h>
#include <imgui_impl_opengl3.h>

#include <algorithm>
#include <string>

namespace stridescope::shell {

FrameTarget::~FrameTarget() {
  if (framebuffer_ != 0) glDeleteFramebuffers(1, &framebuffer_);
  if (texture_ != 0) glDeleteTextures(1, &texture_);
}

Result<void> FrameTarget::create(PixelSize size) {
  size_ = size;
  GLint greatest = 0, before = 0, texture = 0;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &greatest);
  if (size_.width > greatest || size_.height > greatest) {
    return usageError("A picture of " + std::to_string(size_.width) + " x " + std::to_string(size_.height) +
                      " pixels is larger than this machine's OpenGL draws: " + std::to_string(greatest) +
                      " either way.");
  }
  glGetIntegerv(GL_FRAMEBUFFER_BINDING, &before);
  glGetIntegerv(GL_TEXTURE_BINDING_2D, &texture);
  glGenTextures(1, &texture_);
  glBindTexture(GL_TEXTURE_2D, texture_);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, size_.width, size_.height, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glGenFramebuffers(1, &framebuffer_);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture_, 0);
  const bool complete = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
  glBindFramebuffer(GL_FRAMEBUFFER, GLuint(before));
  glBindTexture(GL_TEXTURE_2D, GLuint(texture));
  if (complete) return {};
  return unavailable("OpenGL has no memory for a picture of " + std::to_string(size_.width) + " x " +
                     std::to_string(size_.height) + " pixels. Ask for a smaller one.");
}

void FrameTarget::draw(ImDrawData& data, ImU32 ground) const {
  GLint before = 0;
  glGetIntegerv(GL_FRAMEBUFFER_BINDING, &before);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
  glViewport(0, 0, size_.width, size_.height);
  const ImVec4 colour = ImGui::ColorConvertU32ToFloat4(ground);
  glClearColor(colour.x, colour.y, colour.z, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(&data);
  glBindFramebuffer(GL_FRAMEBUFFER, GLuint(before));
}

Image FrameTarget::read() const {
  Image image{size_, {}};
  const std::size_t rowBytes = std::size_t(size_.width) * 4;
  image.rgba.resize(rowBytes * std::size_t(size_.height));
  GLint before = 0;
  glGetIntegerv(GL_FRAMEBUFFER_BINDING, &before);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, size_.width, size_.height, GL_RGBA, GL_UNSIGNED_BYTE, image.rgba.data());
  glBindFramebuffer(GL_FRAMEBUFFER, GLuint(before));
  const auto row = [&](int y) { return image.rgba.begin() + std::ptrdiff_t(rowBytes) * y; };
  for (int y = 0; y < size_.height / 2; ++y)  // OpenGL's rows go up
    std::swap_ranges(row(y), row(y + 1), row(size_.height - 1 - y));
  for (std::size_t i = 3; i < image.rgba.size(); i += 4) image.rgba[i] = 255;
  return image;
}

}  // namespace stridescope::shell
