// OpenGL without a display, through EGL, drawn into memory.
#pragma once

#include <memory>

#include "shell/frame_target.h"
#include "shell/graphics_context.h"

namespace stridescope::shell {

enum class HeadlessDevice {
  Software,  // Mesa without a surface first: the same picture on every machine; then whatever device there is
  Gpu,       // the GPU's own device first
};

class HeadlessContext final : public GraphicsContext {
 public:
  // The context is current on this thread from here on. Unavailable, with what to install, where EGL, a
  // device or OpenGL 3.3 is missing. `size` up to what the device can draw into (16384 is common).
  static Result<std::unique_ptr<HeadlessContext>> create(PixelSize size, float scale,
                                                         HeadlessDevice device = HeadlessDevice::Software);
  ~HeadlessContext() override;

  // The latest frame.
  Image readPixels() const;

  Result<void> startBackends() override;
  void stopBackends() override;
  void beginFrame() override;
  void endFrame(ImDrawData& data, ImU32 ground) override;
  float monitorScale() const override { return scale_; }
  bool hasOpenGl() const override { return true; }
  std::string description() const override;

 private:
  struct Egl;
  HeadlessContext(PixelSize size, float scale);

  PixelSize size_;
  float scale_;
  std::unique_ptr<Egl> egl_;
  FrameTarget target_;  // ends before its context
};

}  // namespace stridescope::shell
