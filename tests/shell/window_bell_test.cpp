// A window's bell, rung by threads that outlive the window.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <thread>

#include "shell/run_window.h"

namespace stridescope::shell {
namespace {

TEST(WindowBell, WakesWhileItHangs) {
  WindowBell bell;
  int wakes = 0;
  bell.ring();
  {
    const HungBell hung(&bell, [&] { ++wakes; });
    bell.ring();
    bell.ring();
  }
  bell.ring();
  EXPECT_EQ(wakes, 2);
  const HungBell none(nullptr, {});
}

// The window's library may be shut down as soon as the bell is down.
TEST(WindowBell, IsTakenDownOnlyWhenItHasRung) {
  WindowBell bell;
  std::promise<void> ringing;
  std::atomic<bool> rung{false};
  bell.hang([&] {
    ringing.set_value();
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    rung = true;
  });
  std::jthread ringer([&] { bell.ring(); });
  ringing.get_future().wait();
  bell.takeDown();
  EXPECT_TRUE(rung);
}

}  // namespace
}  // namespace stridescope::shell
