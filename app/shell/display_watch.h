// A display that does not answer, or goes away under its window: an X server that was stopped or has ended, a
// connection over a network that broke. What speaks to it then waits for ever, or is ended by Xlib without a
// word.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "base/result.h"

namespace stridescope::shell {

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

}  // namespace stridescope::shell
