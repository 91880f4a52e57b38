// The program's main loop.
#pragma once

#include <atomic>

#include "shell/app.h"
#include "shell/display_watch.h"
#include "shell/frame.h"
#include "shell/window_bell.h"
#include "shell/window_context.h"

namespace stridescope::shell {

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
