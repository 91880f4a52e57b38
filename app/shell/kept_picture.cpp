#include "shell/kept_picture.h"

#include <glad/gl.h>
#include <imgui_impl_opengl3.h>

namespace stridescope::shell {

KeptPicture::~KeptPicture() { free(); }

void KeptPicture::free() {
  if (framebuffer_ != 0) glDeleteFramebuffers(1, &framebuffer_);
  if (texture_ != 0) glDeleteTextures(1, &texture_);
  framebuffer_ = texture_ = 0;
}

bool KeptPicture::hasSize(picture::PixelSize size) {
  if (framebuffer_ != 0 && size.width == size_.width && size.height == size_.height) return true;
  free();
  size_ = size;
  GLint bound = 0;
  glGetIntegerv(GL_TEXTURE_BINDING_2D, &bound);
  glGenTextures(1, &texture_);
  glBindTexture(GL_TEXTURE_2D, texture_);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, size.width, size.height, 0, GL_BGRA, GL_UNSIGNED_INT_8_8_8_8_REV,
               nullptr);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glBindTexture(GL_TEXTURE_2D, GLuint(bound));
  glGenFramebuffers(1, &framebuffer_);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture_, 0);
  const bool isComplete = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  if (!isComplete) free();
  return isComplete;
}

void KeptPicture::draw(ImDrawData& data, ImU32 ground, const FrameParts& parts) const {
  keepParts(data, parts);
  mirror(data);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
  glViewport(0, 0, size_.width, size_.height);
  const ImVec4 colour = ImGui::ColorConvertU32ToFloat4(ground);
  glClearColor(colour.x, colour.y, colour.z, 1);
  glEnable(GL_SCISSOR_TEST);
  const ImVec2 at = data.DisplayPos, scale = data.FramebufferScale;
  for (const ImVec4& part : parts) {
    const int left = int((part.x - at.x) * scale.x), right = int((part.z - at.x) * scale.x);
    const int top = int((part.y - at.y) * scale.y), bottom = int((part.w - at.y) * scale.y);
    glScissor(left, top, right - left, bottom - top);
    glClear(GL_COLOR_BUFFER_BIT);
  }
  glDisable(GL_SCISSOR_TEST);
  ImGui_ImplOpenGL3_RenderDrawData(&data);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer_);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
  glBlitFramebuffer(0, 0, size_.width, size_.height, 0, size_.height, size_.width, 0, GL_COLOR_BUFFER_BIT,
                    GL_NEAREST);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

}  // namespace stridescope::shell
