// The canvas of a page, through WebGL 2.
#pragma once

#include <emscripten/html5.h>

#include <memory>
#include <string>
#include <utility>

#include "shell/graphics_context.h"

namespace stridescope::web {

class CanvasContext final : public shell::GraphicsContext {
 public:
  // `canvas`: a CSS selector. Unavailable, with what to do, where the browser has no WebGL 2.
  static Result<std::unique_ptr<CanvasContext>> open(const std::string& canvas);
  ~CanvasContext() override;

  Result<void> startBackends() override;
  void stopBackends() override;
  void beginFrame() override;
  void endFrame(ImDrawData& data, ImU32 ground) override;
  bool keepsPicture() const override { return true; }
  bool takePictureLost() override { return std::exchange(pictureLost_, false); }
  float monitorScale() const override { return float(density()); }
  bool hasPointerMoved() override { return pointerMoved_; }
  bool hasOpenGl() const override { return true; }
  std::string description() const override { return shell::openGlDescription(); }

  // Pixels of the screen for a unit of the page. Dear ImGui's coordinates are pixels, so that places are
  // rounded to whole ones, as in the program's window.
  static double density();

  void notePointerMoved() { pointerMoved_ = true; }

  // After each frame: tells the page which pointer it asks for, and where the field is that takes text.
  void tellRequests();

 private:
  CanvasContext(std::string canvas, EMSCRIPTEN_WEBGL_CONTEXT_HANDLE context)
      : canvas_(std::move(canvas)), context_(context) {}

  std::string canvas_;
  EMSCRIPTEN_WEBGL_CONTEXT_HANDLE context_;
  double lastFrame_ = -1;  // seconds
  bool pictureLost_ = true, pointerMoved_ = false;
  int cursor_ = ImGuiMouseCursor_COUNT;  // which the page shows
};

}  // namespace stridescope::web
