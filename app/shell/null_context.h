// A graphics context without graphics: tests run thousands of frames a second in it, on any machine.
#pragma once

#include "shell/graphics_context.h"

namespace stridescope::shell {

class NullContext final : public GraphicsContext {
 public:
  NullContext(PixelSize size, float scale) : size_(size), scale_(scale) {}

  Result<void> startBackends() override;
  void stopBackends() override;
  void beginFrame() override;
  void endFrame(ImDrawData& data, ImU32 ground) override;
  float monitorScale() const override { return scale_; }
  bool hasOpenGl() const override { return false; }
  std::string description() const override { return "no graphics"; }

 private:
  PixelSize size_;
  float scale_;
};

}  // namespace stridescope::shell
