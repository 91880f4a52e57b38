// Where frames go: a window, a picture in memory, or nowhere.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/result.h"
#include "imgui.h"
#include "picture/image.h"
#include "shell/frame_content.h"
#include "shell/key_input.h"

namespace stridescope::shell {

using picture::Image;
using picture::PixelSize;

class GraphicsContext {
 public:
  virtual ~GraphicsContext() = default;

  // Dear ImGui's backends, for the current ImGui context.
  virtual Result<void> startBackends() = 0;
  virtual void stopBackends() = 0;

  // Before ImGui::NewFrame: sizes, the time that passed, input.
  virtual void beginFrame() = 0;

  // After ImGui::Render: clears to `ground`, draws, shows.
  virtual void endFrame(ImDrawData& data, ImU32 ground) = 0;

  // In its place, where what was shown last differs in these parts alone: draws no others, perhaps.
  virtual void endFrameIn(const FrameParts& parts, ImDrawData& data, ImU32 ground) {
    (void)parts;
    endFrame(data, ground);
  }

  // Whether these two draw upside down (mirror()): grids, which callbacks draw, must know.
  virtual bool isMirrored() const { return false; }

  // Whether what endFrame() showed stays to be seen, so that the same need not be drawn again,
  virtual bool keepsPicture() const { return false; }
  // unless it was lost since the last call.
  virtual bool takePictureLost() { return true; }

  // Pixels of Dear ImGui's coordinates a unit at 100 % text size: 2 on a monitor of twice the ordinary
  // density.
  virtual float monitorScale() const = 0;

  // Whether the pointer was moved at any time since the window was opened.
  virtual bool hasPointerMoved() { return true; }

  // Fed by a window, or by a test.
  KeyInput& keys() { return keys_; }

  // A second window of this title beside the first; nullptr: none, and an open one goes. Its size, in Dear
  // ImGui's coordinates; nullopt: there is none, because none can be had or the person closed it.
  virtual std::optional<ImVec2> secondWindow(const std::string* title) {
    (void)title;
    return std::nullopt;
  }
  // After endFrame() or in its place, with the second window's picture.
  virtual void endSecond(ImDrawData& data, ImU32 ground) { (void)data, (void)ground; }
  virtual bool takeSecondLost() { return true; }  // as takePictureLost()
  virtual bool hasSecondKeyboard() const { return false; }
  virtual void raiseSecond() {}

  // False where nothing is drawn and no OpenGL call may be made.
  virtual bool hasOpenGl() const = 0;

  // "OpenGL 4.5, llvmpipe (LLVM 15.0.6, 256 bits)", for doctor and --times.
  virtual std::string description() const = 0;

 private:
  KeyInput keys_;
};

// "OpenGL VERSION, RENDERER" of the current context.
std::string openGlDescription();

// A graphics context without graphics: tests run thousands of frames a second in it, on any machine.

class NullContext final : public GraphicsContext {
 public:
  NullContext(PixelSize size, float scale) : size_(size), scale_(scale) {}

  Result<void> startBackends() override;
  void stopBackends() override;
  void beginFrame() override;
  void endFrame(ImDrawData& data, ImU32 ground) override;
  std::optional<ImVec2> secondWindow(const std::string* title) override;
  float monitorScale() const override { return scale_; }
  bool hasOpenGl() const override { return false; }
  std::string description() const override { return "no graphics"; }

 private:
  PixelSize size_;
  float scale_;
};

// A part of a picture, and pictures as PNG files.

// The part from `min` to `max`, pixels; what lies outside the image is left out.
Image cropped(const Image& image, ImVec2 min, ImVec2 max);

// Writes `image` as a PNG. The file is written under another name beside `path` and renamed, so that whoever
// waits for it never reads half a picture; an older file of that name is replaced.
Result<void> writePng(const std::filesystem::path& path, const Image& image, bool overwrite = true);

}  // namespace stridescope::shell
