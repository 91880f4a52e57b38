// A window of the desktop, through GLFW and OpenGL 3.3 core.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

#include "shell/graphics_context.h"
#include "shell/key_order.h"

struct GLFWwindow;

namespace stridescope {

// Screen coordinates of the desktop; a position of -1 leaves it to the window manager.
struct WindowPlacement {
  int x = -1, y = -1;
  int width = 1600, height = 1000;
  bool maximized = false;
};

class WindowContext final : public GraphicsContext {
 public:
  // Opens the window; its OpenGL context is current on this thread from here on. Unavailable, with what to
  // do, where there is no display or no OpenGL 3.3.
  static Result<std::unique_ptr<WindowContext>> open(const WindowPlacement& placement,
                                                     const std::string& title);
  ~WindowContext() override;

  bool shouldClose() const;
  void requestClose();
  bool isMinimized() const;

  // Sleeps until something happens or `seconds` have passed. True when there was something that a frame may
  // show.
  bool waitForEvents(double seconds);

  // Any thread, while a window is open: ends a sleeping waitForEvents.
  static void wake();

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
  float monitorScale() const override;
  bool hasOpenGl() const override { return true; }
  std::string description() const override { return openGlDescription(); }

 private:
  WindowContext() = default;
  void watchEvents();

  GLFWwindow* window_ = nullptr;
  bool happened_ = true;  // since the last waitForEvents
  bool fullscreen_ = false;
  std::string title_;
  WindowPlacement beforeFullscreen_;
  std::vector<std::filesystem::path> dropped_;
  EarlyReleases earlyReleases_;
};

}  // namespace stridescope
