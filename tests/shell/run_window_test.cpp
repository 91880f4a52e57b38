// What is done about a display that does not answer; a server that ends is tried by
// display_lost_under_xvfb.sh.
#include "shell/run_window.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <thread>

namespace stridescope::shell {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

constexpr auto kHang = 60s;

// The error that a watch tells about a window that never opens; nullopt: it told none within `kHang`.
std::optional<Error> toldBy(const std::atomic<bool>* closeRequest, std::chrono::milliseconds patience) {
  std::promise<Error> promise;
  auto told = promise.get_future();
  const OpeningWatch watch([&](const Error& error) { promise.set_value(error); }, closeRequest, patience);
  if (told.wait_for(kHang) != std::future_status::ready) return std::nullopt;
  return told.get();
}

TEST(OpeningWatch, TellsOfADisplayThatDoesNotAnswer) {
  const auto error = toldBy(nullptr, 10ms);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind, ErrorKind::Unavailable);
  EXPECT_THAT(error->sentence, HasSubstr("did not answer within"));
}

TEST(OpeningWatch, GivesUpSoonWhenItIsAskedTo) {
  const std::atomic<bool> closeRequest{true};
  const auto error = toldBy(&closeRequest, kHang);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind, ErrorKind::Cancelled);
}

TEST(OpeningWatch, IsSilentWhereTheWindowOpens) {
  bool told = false;
  {
    const OpeningWatch watch([&](const Error&) { told = true; }, nullptr, kHang);
  }
  EXPECT_FALSE(told);
  { const OpeningWatch nothing({}, nullptr); }
}

// A window's bell, rung by threads that outlive the window.

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
