// The program's main loop.
#pragma once

#include <atomic>
#include <functional>
#include <limits>
#include <mutex>
#include <utility>

#include "shell/app.h"
#include "shell/display_watch.h"
#include "shell/frame.h"
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

// When the window draws: not at all while nothing happens, and never faster than a monitor shows.
//
// All times are seconds of one clock that only goes forward.

class FramePacer {
 public:
  // Input, a resize: something that the frames should answer to.
  void wake(double now);

  // Data changed that a frame shows, such as a job's or timing's. A frame is due, and when no more news come,
  // one for the layout that follows from it.
  void news(double now);

  // A frame was begun. `wantsMore`: what it shows goes on moving (App::wantsFrameSoon). `changesIn`: another
  // frame is due after so many seconds, because what it shows changes by itself then; infinite: it does not.
  void frameBegun(double now, bool wantsMore, double changesIn = std::numeric_limits<double>::infinity());

  // Whether anybody can see the window. One that is minimised draws nothing, whatever wakes it; what happened
  // meanwhile is drawn as soon as it is seen again.
  void setVisible(bool visible, double now);

  bool frameDue(double now) const { return secondsToWait(now) <= 0; }

  // How long the loop may sleep for events before it asks again; kLongestSleep when nothing is planned.
  double secondsToWait(double now) const;

  static constexpr double kShortestFrame = 1.0 / 60;
  static constexpr double kLongestSleep = 0.25;

  // Dear ImGui needs a frame to see an event, one to act on it and one to lay out what came of it.
  static constexpr int kFramesAfterWake = 3;

  static constexpr double kSettled = 0.1;  // after news

  // And later ones: tooltips wait for the pointer to rest, first 0.15 s and then up to 0.4 s more.
  static constexpr double kLateFrames[] = {0.2, 0.45, 0.7};

 private:
  double lastFrame_ = -1;
  double wokenAt_ = -1, newsAt_ = -1;
  double changesAt_ = std::numeric_limits<double>::infinity();
  int framesLeft_ = kFramesAfterWake;
  bool wantsMore_ = false, visible_ = true;
};

}  // namespace stridescope::shell
