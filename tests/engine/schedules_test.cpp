// The CPU executor's schedules: right kernels give the same in all of them, racy ones do not, and what was
// right in lockstep is right in lockstep.
#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "text_kernel.h"

namespace {

ADDING_PREAMBLE(int)

namespace texts {
#include "instrumented/hand_over.inc"
#include "instrumented/lost_updates.inc"
#include "instrumented/no_barrier.inc"
#include "instrumented/warp_loop.inc"
#include "instrumented/warp_tail.inc"
#include "instrumented/with_barriers.inc"
}  // namespace texts

}  // namespace

namespace stridescope::engine {
namespace {

using recording::BlockOutcome;

constexpr model::Schedule kEach[] = {model::Schedule::LaneByLane, model::Schedule::WarpByWarp,
                                     model::Schedule::Lockstep, model::Schedule::Random};

struct Outcome {
  HandRun run;
  std::vector<int> out;
};

template <auto kernel>
Outcome runScheduled(model::Schedule schedule, unsigned threads, std::uint64_t seed = 1,
                     const std::atomic<bool>* cancel = nullptr) {
  std::vector<int> in(threads);
  for (unsigned t = 0; t < threads; ++t) in[t] = int(t * t % 97 + 1);
  Outcome outcome;
  outcome.out.assign(threads + 1, 0);
  Arguments both(in, outcome.out), one(outcome.out);
  recording::HostLaunch launch = launchOf(1, threads);
  launch.schedule = schedule;
  launch.scheduleSeed = seed;
  launch.cancel = cancel;
  constexpr bool takesInput = requires { kernel(in.data(), in.data()); };
  outcome.run = runText<kernel>(takesInput ? both : one, launch);
  return outcome;
}

int sumOf(unsigned first, unsigned last) {
  int sum = 0;
  for (unsigned t = first; t < last; ++t) sum += int(t * t % 97 + 1);
  return sum;
}

TEST(Schedules, ARightKernelGivesTheSameTraceInAll) {
  for (const unsigned threads : {32u, 64u, 256u, 1024u}) {
    const Outcome plain = runScheduled<texts::with_barriers>(model::Schedule::LaneByLane, threads);
    EXPECT_EQ(plain.out[0], sumOf(0, threads));
    EXPECT_EQ(plain.out[1], int(threads));
    for (const model::Schedule schedule : kEach)
      for (const std::uint64_t seed : {1u, 2u, 3u}) {
        const Outcome other = runScheduled<texts::with_barriers>(schedule, threads, seed);
        EXPECT_EQ(other.run.outcome, BlockOutcome::Finished);
        EXPECT_TRUE(other.run.problems.empty());
        EXPECT_EQ(other.out, plain.out);
        EXPECT_EQ(other.run.record.first, plain.run.record.first);
        EXPECT_TRUE(other.run.record.events == plain.run.record.events);
        EXPECT_EQ(other.run.record.barrierCopies, plain.run.record.barrierCopies);
        EXPECT_EQ(other.run.record.copied.size(), plain.run.record.copied.size());
      }
  }
}

TEST(Schedules, AreRepeatable) {
  for (const model::Schedule schedule : kEach) {
    const Outcome once = runScheduled<texts::no_barrier>(schedule, 256, 7);
    const Outcome again = runScheduled<texts::no_barrier>(schedule, 256, 7);
    EXPECT_EQ(once.out, again.out);
    EXPECT_TRUE(once.run.record.events == again.run.record.events);
  }
}

// Lanes in lockstep need no barrier of the warp; lanes one after the other do.
TEST(Schedules, WhatTrustsInLockstepIsRightThere) {
  for (const unsigned threads : {32u, 64u, 1024u})
    for (const model::Schedule schedule : {model::Schedule::WarpByWarp, model::Schedule::Lockstep}) {
      const Outcome tail = runScheduled<texts::warp_tail>(schedule, threads);
      const Outcome loop = runScheduled<texts::warp_loop>(schedule, threads);
      for (unsigned t = 0; t < threads; ++t) {
        EXPECT_EQ(tail.out[t], sumOf(t / 32 * 32, t / 32 * 32 + 32)) << t;
        EXPECT_EQ(loop.out[t], sumOf(t / 32 * 32, t / 32 * 32 + 32)) << t;
      }
    }
  EXPECT_NE(runScheduled<texts::warp_tail>(model::Schedule::LaneByLane, 32).out[0], sumOf(0, 32));
  EXPECT_NE(runScheduled<texts::warp_loop>(model::Schedule::LaneByLane, 32).out[0], sumOf(0, 32));
  EXPECT_NE(runScheduled<texts::warp_tail>(model::Schedule::Random, 32).out[0], sumOf(0, 32));
}

// Thread 0 alone adds what it finds: nobody has loaded yet, or all of its warp have, or all of the block.
TEST(Schedules, AMissingBarrierShowsInSome) {
  constexpr unsigned threads = 256;
  EXPECT_EQ(runScheduled<texts::no_barrier>(model::Schedule::Lockstep, threads).out[0], sumOf(0, threads));
  EXPECT_NE(runScheduled<texts::no_barrier>(model::Schedule::LaneByLane, threads).out[0], sumOf(0, threads));
  EXPECT_NE(runScheduled<texts::no_barrier>(model::Schedule::WarpByWarp, threads).out[0], sumOf(0, threads));
  std::set<int> answers;
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    answers.insert(runScheduled<texts::no_barrier>(model::Schedule::Random, threads, seed).out[0]);
  EXPECT_GT(answers.size(), 5u);
}

TEST(Schedules, AtomicsAreOneStepAndUpdatesAreTwo) {
  constexpr unsigned threads = 96;
  for (const model::Schedule schedule : kEach)
    EXPECT_EQ(runScheduled<texts::lost_updates>(schedule, threads).out[1], int(threads));
  EXPECT_EQ(runScheduled<texts::lost_updates>(model::Schedule::LaneByLane, threads).out[0], int(threads));
  EXPECT_EQ(runScheduled<texts::lost_updates>(model::Schedule::WarpByWarp, threads).out[0], 3)
      << "one a warp";
  EXPECT_EQ(runScheduled<texts::lost_updates>(model::Schedule::Lockstep, threads).out[0], 1) << "all read 0";
  EXPECT_LT(runScheduled<texts::lost_updates>(model::Schedule::Random, threads).out[0], int(threads));
}

TEST(Schedules, WhatSpinsEnds) {
  constexpr unsigned threads = 70;
  unsigned expected = 0;
  for (unsigned t = threads; t-- > 0;) expected = expected * 3 + t;
  for (const model::Schedule schedule :
       {model::Schedule::WarpByWarp, model::Schedule::Lockstep, model::Schedule::Random}) {
    std::vector<int> out(1, 0);
    Arguments arguments(out);
    recording::HostLaunch launch = launchOf(1, threads);
    launch.schedule = schedule;
    launch.eventsPerThread = 100'000'000;
    launch.traceBytes = 2ull << 30;
    const HandRun run = runText<texts::hand_over>(arguments, launch);
    EXPECT_EQ(run.outcome, BlockOutcome::Finished) << int(schedule) << " " << run.problems.size();
    EXPECT_EQ(unsigned(out[0]), expected) << int(schedule);
  }
}

TEST(Schedules, StopWhenCancelled) {
  const std::atomic<bool> cancel{true};
  for (const model::Schedule schedule : kEach)
    EXPECT_EQ(runScheduled<texts::with_barriers>(schedule, 1024, 1, &cancel).run.outcome,
              BlockOutcome::Cancelled);
}

}  // namespace
}  // namespace stridescope::engine
