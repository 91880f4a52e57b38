// OpenGL without a display, through EGL (in a worker of a page: WebGL 2 without a canvas on it), drawn into
// memory.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "imgui.h"
#include "shell/frame.h"
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
  struct Device;
  HeadlessContext(PixelSize size, float scale);

  PixelSize size_;
  float scale_;
  std::unique_ptr<Device> device_;
  FrameTarget target_;  // ends before its context
};

// Pictures of the window without a display.

struct HeadlessRequest {
  PixelSize size{1600, 1000};
  float scale = 1.0f;  // the monitor's, as if there were one
  int frames = 4;      // drawn before the picture is taken: Dear ImGui settles its layout in three
  HeadlessDevice device = HeadlessDevice::Software;
  // Asked after the last frame: which part of it the picture holds, from min to max in Dear ImGui's
  // coordinates. Not set: all of it.
  std::function<std::pair<ImVec2, ImVec2>()> part = {};
};

struct HeadlessPicture {
  Image image;
  FrameTimeSummary times;   // the frames after the first, which loads fonts; or the only one's
  std::string description;  // describes the OpenGL that drew it
};

// Draws pictures of one app or of several, one after the other, in one OpenGL context.
class HeadlessRenderer {
 public:
  static Result<std::unique_ptr<HeadlessRenderer>> create(PixelSize size, float scale,
                                                          HeadlessDevice device = HeadlessDevice::Software);

  // `frames` and `part` as in HeadlessRequest.
  Image draw(App& app, int frames, const std::function<std::pair<ImVec2, ImVec2>()>& part = {});

  FrameRunner& frames() { return *frames_; }
  const HeadlessContext& graphics() const { return *graphics_; }

 private:
  HeadlessRenderer(std::unique_ptr<HeadlessContext> graphics, std::unique_ptr<FrameRunner> frames)
      : graphics_(std::move(graphics)), frames_(std::move(frames)) {}

  std::unique_ptr<HeadlessContext> graphics_;
  std::unique_ptr<FrameRunner> frames_;  // ends before what it draws into
};

// Draws `request.frames` frames of `app`, in the appearance that the app asks for, and returns the last one.
// On one machine the same frames give the same bytes.
Result<HeadlessPicture> renderHeadless(App& app, const HeadlessRequest& request);

}  // namespace stridescope::shell
