// Wakes a window from other threads, which may outlive it.
#pragma once

#include <functional>
#include <mutex>
#include <utility>

namespace stridescope::shell {

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

}  // namespace stridescope::shell
