// The program's main loop.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <utility>

#include "shell/app.h"
#include "shell/display_watch.h"
#include "shell/frame.h"
#include "shell/frame_pacer.h"
#include "shell/window_context.h"

namespace stridescope::shell {

// Wakes a window from other threads, which may outlive it.

// Rung while no window is open it does nothing, so that whoever has it need not know when the window goes.
class WindowBell {
 public:
  // Any thread.
  void ring() {
    const std::scoped_lock lock(mutex_);
    if (wake_) wake_();
  }

  // The window's thread. After takeDown() `wake` is neither running nor called again.
  void hang(std::function<void()> wake) {
    const std::scoped_lock lock(mutex_);
    wake_ = std::move(wake);
  }
  void takeDown() { hang({}); }

 private:
  std::mutex mutex_;
  std::function<void()> wake_;
};

// Hangs a bell for as long as this lives.
class HungBell {
 public:
  // `bell` may be null.
  HungBell(WindowBell* bell, std::function<void()> wake) : bell_(bell) {
    if (bell_ != nullptr) bell_->hang(std::move(wake));
  }
  ~HungBell() {
    if (bell_ != nullptr) bell_->takeDown();
  }
  HungBell(const HungBell&) = delete;
  HungBell& operator=(const HungBell&) = delete;

 private:
  WindowBell* bell_;
};

struct WindowOptions {
  WindowPlacement placement = {};
  FrameOptions frame = {};
  int frames = 0;  // close after so many; 0: run until it is closed
  // For whatever has news from other threads; may be null. Rung, it ends the window's sleep, and a frame is
  // drawn.
  WindowBell* bell = nullptr;
  // Set by anybody, a signal's handler among them: the window closes, within FramePacer::kLongestSleep; may
  // be null.
  const std::atomic<bool>* closeRequest = nullptr;
  // Ends the process when the display does not answer or its connection breaks; the app's state was saved
  // before where the window was open. Empty: Xlib ends the process then.
  DisplayLost displayLost{};
  bool withoutSleep = false;  // draw without pause and without waiting for the monitor, to measure frames
};

struct WindowReport {
  WindowPlacement placement;  // where the window was when it closed
  FrameTimeSummary times;
  std::string description;  // its OpenGL's
};

// Opens the window, runs `app` in it until it is closed, then calls app.saveState(). While nothing happens it
// draws nothing.
Result<WindowReport> runWindow(App& app, const WindowOptions& options = {});

}  // namespace stridescope::shell
