// The program's main loop, and what watches the display meanwhile.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>

#include "base/result.h"
#include "shell/frame.h"
#include "shell/window_context.h"

namespace stridescope::shell {

// A display that does not answer, or goes away under its window: an X server that was stopped or has ended, a
// connection over a network that broke. What speaks to it then waits for ever, or is ended by Xlib without a
// word.

// Ends the process, with the error's sentence: nothing that was to do with the display can go on.
using DisplayLost = std::function<void(const Error&)>;

// While a window is opened: calls `lost`, on a thread of its own, when that takes longer than `patience`, or
// when a close request came and it is not open `kPatienceOfAsker` later. Empty: nothing is watched.
class OpeningWatch {
 public:
  static constexpr std::chrono::milliseconds kPatience{15'000}, kPatienceOfAsker{700};

  OpeningWatch(const DisplayLost& lost, const std::atomic<bool>* closeRequest,
               std::chrono::milliseconds patience = kPatience);
  ~OpeningWatch();  // it is open, or cannot be opened
  OpeningWatch(const OpeningWatch&) = delete;
  OpeningWatch& operator=(const OpeningWatch&) = delete;

 private:
  void watch(const DisplayLost& lost, const std::atomic<bool>* closeRequest,
             std::chrono::milliseconds patience);

  std::mutex mutex_;  // guards `over_`
  std::condition_variable changed_;
  bool over_ = false;
  std::thread thread_;
};

// While it lives, `lost` is called when the connection to an X server breaks, on the thread that speaks to
// it. After GLFW was started; one at a time. Where the window is no X server's, GLFW closes it in that case.
class ConnectionWatch {
 public:
  explicit ConnectionWatch(DisplayLost lost);
  ~ConnectionWatch();
  ConnectionWatch(const ConnectionWatch&) = delete;
  ConnectionWatch& operator=(const ConnectionWatch&) = delete;
};

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
  // Set by anybody, a signal's handler among them: the window closes, when the bell is rung after it, or else
  // within kLooksForClosing; may be null.
  const std::atomic<bool>* closeRequest = nullptr;
  bool closingRings = false;  // whoever sets it has the bell rung
  // Ends the process when the display does not answer or its connection breaks; the app's state was saved
  // before where the window was open. Empty: Xlib ends the process then.
  DisplayLost displayLost{};
  bool withoutSleep = false;  // draw without pause and without waiting for the monitor, to measure frames
};

inline constexpr double kLooksForClosing = 0.25;  // seconds

struct WindowReport {
  WindowPlacement placement;  // where the window was when it closed
  FrameTimeSummary times;
  std::string description;  // its OpenGL's
};

// Opens the window, runs `app` in it until it is closed, then calls app.saveState(). While nothing happens it
// draws nothing.
Result<WindowReport> runWindow(App& app, const WindowOptions& options = {});

}  // namespace stridescope::shell
