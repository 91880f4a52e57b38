// One worker, of whose jobs the newest wins.
#include "session/jobs.h"

#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <new>
#include <stdexcept>

namespace stridescope::session {
namespace {

using namespace std::chrono_literals;

// Works until it is cancelled.
Jobs::Delivery untilCancelled(engine::JobControl& control) {
  while (!control.cancel) std::this_thread::sleep_for(1ms);
  return [] { ADD_FAILURE() << "a cancelled job must deliver nothing"; };
}

TEST(Jobs, DeliversInPollOnTheOwnersThread) {
  Jobs jobs({});
  std::thread::id worked, delivered;
  jobs.start("Working", [&](engine::JobControl&) -> Jobs::Delivery {
    worked = std::this_thread::get_id();
    return [&] { delivered = std::this_thread::get_id(); };
  });
  EXPECT_FALSE(jobs.isIdle());
  jobs.wait();
  EXPECT_FALSE(jobs.status());
  EXPECT_FALSE(jobs.isIdle()) << "it has yet to deliver";
  EXPECT_EQ(delivered, std::thread::id()) << "not before poll()";
  EXPECT_TRUE(jobs.poll());
  EXPECT_TRUE(jobs.isIdle());
  EXPECT_EQ(delivered, std::this_thread::get_id());
  EXPECT_NE(worked, std::this_thread::get_id());
  EXPECT_FALSE(jobs.poll()) << "delivered once";
}

TEST(Jobs, AJobMayDeliverNothing) {
  Jobs jobs({});
  jobs.start("Working", [](engine::JobControl&) -> Jobs::Delivery { return {}; });
  jobs.wait();
  EXPECT_FALSE(jobs.poll());
}

TEST(Jobs, TheNewestWins) {
  Jobs jobs({});
  int delivered = 0;
  jobs.start("First", untilCancelled);
  for (int i = 1; i <= 5; ++i)
    jobs.start("Next", [i, &delivered](engine::JobControl&) -> Jobs::Delivery {
      return [i, &delivered] { delivered = i; };
    });
  jobs.wait();
  EXPECT_TRUE(jobs.poll());
  EXPECT_EQ(delivered, 5);
}

// The first has ended but nobody has polled yet.
TEST(Jobs, WhatWasNotTakenInIsDroppedForANewerJob) {
  Jobs jobs({});
  std::string delivered;
  jobs.start("First", [&](engine::JobControl&) -> Jobs::Delivery { return [&] { delivered += "first "; }; });
  jobs.wait();
  jobs.start("Second", [&](engine::JobControl&) -> Jobs::Delivery { return [&] { delivered += "second"; }; });
  jobs.wait();
  jobs.poll();
  EXPECT_EQ(delivered, "second");
}

TEST(Jobs, CancellingDropsTheDelivery) {
  Jobs jobs({});
  std::promise<void> running;
  jobs.start("Working", [&](engine::JobControl& control) {
    running.set_value();
    return untilCancelled(control);
  });
  running.get_future().wait();
  EXPECT_TRUE(jobs.status());
  jobs.cancel();
  EXPECT_FALSE(jobs.status()) << "what was cancelled is not shown as running";
  jobs.wait();
  EXPECT_FALSE(jobs.poll());
}

TEST(Jobs, CancellingAfterTheEndDropsTheDeliveryToo) {
  Jobs jobs({});
  jobs.start("Working", [](engine::JobControl&) -> Jobs::Delivery { return [] { ADD_FAILURE(); }; });
  jobs.wait();
  jobs.cancel();
  EXPECT_FALSE(jobs.poll());
}

TEST(Jobs, CancellingNothingIsFine) {
  Jobs jobs({});
  jobs.cancel();
  jobs.wait();
  EXPECT_FALSE(jobs.poll());
  EXPECT_FALSE(jobs.status());
}

TEST(Jobs, TellWhatTheyDo) {
  Jobs jobs({});
  std::promise<void> halfway, goOn;
  jobs.start("Recording", [&](engine::JobControl& control) -> Jobs::Delivery {
    control.progress(0.5f, "Half way");
    halfway.set_value();
    goOn.get_future().wait();
    return {};
  });
  halfway.get_future().wait();
  const auto status = jobs.status();
  ASSERT_TRUE(status);
  EXPECT_EQ(status->doing, "Half way");
  EXPECT_EQ(status->fraction, 0.5f);
  goOn.set_value();
  jobs.wait();
  EXPECT_FALSE(jobs.status());
}

TEST(Jobs, WakeForProgressAndForTheEnd) {
  std::atomic<int> wakes{0};
  Jobs jobs([&] { ++wakes; });
  jobs.start("Working", [](engine::JobControl& control) -> Jobs::Delivery {
    control.progress(0.1f, "a");
    control.progress(0.2f, "b");
    return [] {};
  });
  jobs.wait();
  for (int i = 0; i < 1000 && wakes < 3; ++i)
    std::this_thread::sleep_for(1ms);  // the last comes after the end
  EXPECT_EQ(wakes, 3);
}

TEST(Jobs, TheDestructorCancelsAndWaits) {
  std::promise<void> running;
  std::atomic<bool> left{false};
  const auto begun = std::chrono::steady_clock::now();
  {
    Jobs jobs({});
    jobs.start("Working", [&](engine::JobControl& control) -> Jobs::Delivery {
      running.set_value();
      while (!control.cancel) std::this_thread::sleep_for(1ms);
      left = true;
      return {};
    });
    running.get_future().wait();
    jobs.start("Never begun", [](engine::JobControl&) -> Jobs::Delivery {
      ADD_FAILURE();
      return {};
    });
  }
  EXPECT_TRUE(left);
  EXPECT_LT(std::chrono::steady_clock::now() - begun, 5s);
}

TEST(Jobs, WhatAJobThrowsIsAnErrorAndTheNextJobRuns) {
  std::vector<std::string> told;
  std::thread::id toldOn;
  Jobs jobs({}, [&](const Error& error) {
    told.push_back(error.sentence);
    toldOn = std::this_thread::get_id();
  });
  jobs.start("Recording sequential", [](engine::JobControl&) -> Jobs::Delivery { throw std::bad_alloc(); });
  jobs.wait();
  EXPECT_TRUE(told.empty()) << "not before poll()";
  EXPECT_TRUE(jobs.poll());
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(told[0],
            "Out of memory while recording sequential. Take fewer elements, or close other programs.");
  EXPECT_EQ(toldOn, std::this_thread::get_id());

  jobs.start("Reading",
             [](engine::JobControl&) -> Jobs::Delivery { return [] { throw std::runtime_error("x"); }; });
  jobs.wait();
  EXPECT_TRUE(jobs.poll());
  EXPECT_EQ(told.size(), 2u) << "what a delivery throws, too";

  bool delivered = false;
  jobs.start("Working", [&](engine::JobControl&) -> Jobs::Delivery { return [&] { delivered = true; }; });
  jobs.wait();
  jobs.poll();
  EXPECT_TRUE(delivered);
  EXPECT_EQ(told.size(), 2u);
}

TEST(Jobs, WhatACancelledJobThrowsIsNotTold) {
  Jobs jobs({}, [](const Error&) { ADD_FAILURE(); });
  std::promise<void> running;
  jobs.start("Working", [&](engine::JobControl& control) -> Jobs::Delivery {
    running.set_value();
    untilCancelled(control);
    throw std::bad_alloc();
  });
  running.get_future().wait();
  jobs.cancel();
  jobs.wait();
  jobs.poll();
  Jobs untold({});
  untold.start("Working", [](engine::JobControl&) -> Jobs::Delivery { throw std::bad_alloc(); });
  untold.wait();
  untold.poll();
}

// Starts, cancels, polls and looks in every order, while jobs come and go. Meant for ThreadSanitizer too.
TEST(Jobs, SurviveManyStarts) {
  std::atomic<int> wakes{0}, begun{0};
  int delivered = 0, lastDelivered = -1;
  Jobs jobs([&] { ++wakes; });
  constexpr int kStarts = 20000;
  for (int i = 0; i < kStarts; ++i) {
    jobs.start("Job", [&, i](engine::JobControl& control) -> Jobs::Delivery {
      ++begun;
      control.progress(float(i) / kStarts, "Job " + std::to_string(i));
      if (control.cancel) return {};
      return [&, i] { ++delivered, lastDelivered = i; };
    });
    if (i % 3 == 0) jobs.poll();
    if (i % 7 == 0) (void)jobs.status();
    if (i % 11 == 0) jobs.cancel();
    if (i % 501 == 0) jobs.wait();
    ASSERT_LE(lastDelivered, i);
  }
  jobs.start("Last", [&](engine::JobControl&) -> Jobs::Delivery { return [&] { lastDelivered = kStarts; }; });
  jobs.wait();
  jobs.poll();
  EXPECT_EQ(lastDelivered, kStarts);
  EXPECT_LE(delivered, begun);
}

// Where a program has one thread alone.
TEST(JobsInTurns, AreDoneInPollOnTheOwnersThread) {
  Jobs jobs({}, {}, JobsRunner::Turns);
  std::thread::id worked;
  bool delivered = false;
  jobs.start("Working", [&](engine::JobControl&) -> Jobs::Delivery {
    worked = std::this_thread::get_id();
    return [&] { delivered = true; };
  });
  EXPECT_TRUE(jobs.status());
  EXPECT_TRUE(jobs.poll());
  EXPECT_TRUE(delivered);
  EXPECT_EQ(worked, std::this_thread::get_id());
  EXPECT_FALSE(jobs.status());
  EXPECT_FALSE(jobs.poll());
}

TEST(JobsInTurns, WhatAwaitsSomethingIsDoneAgain) {
  Jobs jobs({}, {}, JobsRunner::Turns);
  int turns = 0, delivered = 0;
  bool isThere = false;
  jobs.start("Working", [&](engine::JobControl& control) -> Jobs::Delivery {
    ++turns;
    control.awaits = !isThere;
    return [&] { ++delivered; };
  });
  EXPECT_FALSE(jobs.poll());
  jobs.wait();
  EXPECT_EQ(turns, 2);
  EXPECT_TRUE(jobs.status()) << "it goes on";
  isThere = true;
  EXPECT_TRUE(jobs.poll());
  EXPECT_EQ(turns, 3);
  EXPECT_EQ(delivered, 1);
  EXPECT_FALSE(jobs.status());
}

TEST(JobsInTurns, TheNewestWinsOverWhatAwaitsSomething) {
  Jobs jobs({}, {}, JobsRunner::Turns);
  std::string done;
  jobs.start("First", [&](engine::JobControl& control) -> Jobs::Delivery {
    done += control.cancel ? "which ends " : "first ";
    control.awaits = true;
    return {};
  });
  jobs.poll();
  jobs.start("Second", [&](engine::JobControl&) -> Jobs::Delivery { return [&] { done += "second"; }; });
  EXPECT_TRUE(jobs.poll());
  EXPECT_EQ(done, "first which ends second") << "it can end what it awaits";
  jobs.start("Third", [&](engine::JobControl& control) -> Jobs::Delivery {
    control.awaits = true;
    return [] { ADD_FAILURE() << "a cancelled job must deliver nothing"; };
  });
  jobs.poll();
  jobs.cancel();
  EXPECT_FALSE(jobs.status());
  EXPECT_FALSE(jobs.poll());
}

TEST(JobsInTurns, WhatIsCancelledWhileItAwaitsSomethingHasOneLastTurn) {
  Jobs jobs({}, {}, JobsRunner::Turns);
  std::string turns;
  jobs.start("Working", [&](engine::JobControl& control) -> Jobs::Delivery {
    turns += control.cancel ? "end" : "await ";
    control.awaits = true;
    return {};
  });
  jobs.poll();
  jobs.cancel();
  jobs.poll();
  jobs.poll();
  EXPECT_EQ(turns, "await end");
  EXPECT_TRUE(jobs.isIdle());
}

TEST(JobsInTurns, OneThatThrowsIsTold) {
  std::string told;
  Jobs jobs(
      {}, [&](const Error& error) { told = error.sentence; }, JobsRunner::Turns);
  jobs.start("Working", [](engine::JobControl& control) -> Jobs::Delivery {
    control.awaits = true;
    throw std::bad_alloc();
  });
  EXPECT_TRUE(jobs.poll());
  EXPECT_NE(told, "");
  EXPECT_FALSE(jobs.status());
}

}  // namespace
}  // namespace stridescope::session
