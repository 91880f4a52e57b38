// A window of the desktop, through GLFW and OpenGL 3.3 core.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "shell/graphics_context.h"

struct GLFWwindow;

namespace stridescope::shell {

class KeptPicture;
class SecondWindow;

// Screen coordinates of the desktop; a position of -1 leaves it to the window manager.
struct WindowPlacement {
  int x = -1, y = -1;
  int width = 1600, height = 1000;
  bool maximized = false;
  bool ofOrdinaryDensity = false;  // the size grows with the monitor's scale: nobody chose it on this one
};

// How many times larger than at 96 pixels an inch texts shall be on a monitor of so many pixels in so many
// millimetres: in quarters, from 1 to 3, rounded down. `desktop`: the scale that the desktop asks for
// (Xft.dpi), which counts where it is another than 1. Where the size is not that of a monitor, as projectors
// and televisions tell none, or their aspect ratio, it is taken for one of 27 inches.
float textScaleOf(float desktop, int pixels, int millimetres);

class WindowContext final : public GraphicsContext {
 public:
  // Opens the window, no larger than the monitor's work area and within it; its OpenGL context is current on
  // this thread from here on. Unavailable, with what to do, where there is no display or no OpenGL 3.3.
  static Result<std::unique_ptr<WindowContext>> open(const WindowPlacement& placement,
                                                     const std::string& title);
  ~WindowContext() override;

  bool shouldClose() const;
  void requestClose();
  bool isMinimized() const;

  // Sleeps until something happens or `seconds`, which may be infinite, have passed. True when there was
  // something that a frame may show.
  bool waitForEvents(double seconds);

  // Any thread, while the window is open: there is something new to show. Ends a sleeping waitForEvents.
  void wake();
  // Whether wake() was called since the last call.
  bool takeNews() { return woken_.exchange(false); }

  void setTitle(const std::string& title);
  void setFullscreen(bool fullscreen);

  // Files dropped since the last call.
  std::vector<std::filesystem::path> takeDroppedFiles();

  // Where the window is when it is not full screen.
  WindowPlacement placement() const;

  Result<void> startBackends() override;
  void stopBackends() override;
  void beginFrame() override;
  void endFrame(ImDrawData& data, ImU32 ground) override;
  void endFrameIn(const FrameParts& parts, ImDrawData& data, ImU32 ground) override;
  bool isMirrored() const override { return isMirrored_; }
  bool keepsPicture() const override { return keepsPicture_; }
  bool takePictureLost() override { return std::exchange(pictureLost_, false); }
  // Every frame is drawn from now on.
  void forgetPictures() { keepsPicture_ = false; }
  std::optional<ImVec2> secondWindow(const std::string* title) override;
  void endSecond(ImDrawData& data, ImU32 ground) override;
  bool hasSecondKeyboard() const override;
  void raiseSecond() override;
  bool takeSecondLost() override;
  float monitorScale() const override;
  bool hasPointerMoved() override;
  bool hasOpenGl() const override { return true; }
  std::string description() const override { return openGlDescription(); }

 private:
  WindowContext();
  void watchEvents();
  void losePicture() { happened_ = pictureLost_ = true; }
  ImVec2 pointerOnDesktop() const;

  GLFWwindow* window_ = nullptr;
  std::unique_ptr<KeptPicture> kept_;  // null where a GPU draws, which need not save pixels
  bool happened_ = true;               // since the last waitForEvents
  bool pictureLost_ = true;            // the desktop may have lost it, or it has another size
  bool keepsPicture_ = true;
  bool isMirrored_ = false;  // this frame
  std::atomic<bool> woken_ = false;
  bool pointerMoved_ = false;
  float density_ = 1;  // textScaleOf() of the monitor on which it opened, beyond what the desktop asks for
  ImVec2 pointerAtFirst_;  // on the desktop, when the window opened
  bool fullscreen_ = false;
  std::string title_;
  std::unique_ptr<SecondWindow> second_;
  WindowPlacement beforeFullscreen_;
  std::vector<std::filesystem::path> dropped_;
};

}  // namespace stridescope::shell
