// Kernels that do something wrong: each must end, with a problem that says what and who, and harm nothing.
#include <gtest/gtest.h>

#include <chrono>
#include <new>
#include <thread>

#include "hand_kernels.h"

namespace stridescope::engine {
namespace {

using recording::BlockOutcome;
using testing::Test;

std::vector<int> buffer(std::size_t elements = 64) { return std::vector<int>(elements, 7); }

void expectOne(const HandRun& run, model::ProblemKind kind, int site, unsigned thread,
               const std::string& part) {
  ASSERT_EQ(run.problems.size(), 1u);
  const model::Problem& problem = run.problems[0];
  EXPECT_EQ(problem.kind, kind) << problem.text;
  EXPECT_EQ(problem.site, site) << problem.text;
  EXPECT_EQ(problem.thread, thread) << problem.text;
  EXPECT_NE(problem.text.find(part), std::string::npos) << problem.text;
}

// ---- Out of bounds.

__global__ void readsBehindShared(int* out) {
  RECORDING_SHARED_STATIC(0, data, int, [32]);
  RECORDING_SHARED_STATIC(1, more, int, [32]);
  recording::store(1, data, threadIdx.x) = 1;
  recording::store(2, more, threadIdx.x) = 2;
  recording::syncthreads(5);
  recording::store(3, out, threadIdx.x) = recording::load(4, data, threadIdx.x + 3);
}
TEST(OutOfBounds, BehindASharedArrayAndNotInTheNext) {
  auto out = buffer();
  const HandRun run = runByHand<readsBehindShared>(out, {});
  EXPECT_EQ(run.outcome, BlockOutcome::Stopped);
  expectOne(run, model::ProblemKind::OutOfBounds, 4, 29,
            "Thread 29 accesses data[32], but data has 32 elements of 4 bytes, from 0 on.");
  EXPECT_EQ(out[28], 1);
  EXPECT_EQ(out[29], 7);
}

__global__ void writesBeforeShared(int*) {
  RECORDING_SHARED_DYNAMIC(0, data, int);
  recording::store(1, data, int(threadIdx.x) - 1) = 1;
}
TEST(OutOfBounds, BeforeASharedArray) {
  auto out = buffer();
  const HandRun run = runByHand<writesBeforeShared>(out, {.sharedBytes = 128});
  expectOne(run, model::ProblemKind::OutOfBounds, 1, 0, "4 bytes, 4 bytes before the start of data");
}

__global__ void wrapsAnUnsignedIndex(int*) {
  RECORDING_SHARED_DYNAMIC(0, data, int);
  recording::store(1, data, threadIdx.x - 1) = 1;
}
TEST(OutOfBounds, FarAway) {
  auto out = buffer();
  const HandRun run = runByHand<wrapsAnUnsignedIndex>(out, {.sharedBytes = 128});
  expectOne(run, model::ProblemKind::OutOfBounds, 1, 0, "far outside every array and buffer");
}

__global__ void writesBehindTheBuffer(int* out) { recording::update(6, out, threadIdx.x * 2 + 1) += 1; }
TEST(OutOfBounds, BehindABuffer) {
  std::vector<int> large(4096, 7);  // the kernel is told of the first 32 elements alone
  int* data = large.data() + 1024;
  void* arguments[] = {&data};
  recording::HostLaunch launch;
  launch.block = dim3(32);
  launch.kernel = recording::KernelCall<writesBehindTheBuffer>::call;
  launch.arguments = arguments;
  launch.buffers = {{reinterpret_cast<std::uintptr_t>(data), 32 * sizeof(int)}};
  launch.bufferNames = {"out"};
  recording::BlockRunner runner;
  ASSERT_EQ(runner.begin(launch), "");
  EXPECT_EQ(runner.run(0, true), BlockOutcome::Stopped);
  HandRun run{.outcome = {}, .record = runner.takeRecord(), .problems = runner.problems()};
  expectOne(run, model::ProblemKind::OutOfBounds, 6, 16,
            "out[33], but out has 32 elements of 4 bytes, from 0 on");
  EXPECT_EQ(data[31], 8);
  for (int i = 32; i < 64; ++i) EXPECT_EQ(data[i], 7) << i;
}

__global__ void straddlesTheEnd(int* out) {
  recording::store(0, reinterpret_cast<long long*>(out), threadIdx.x) = 1;
}
TEST(OutOfBounds, HalfAnElement) {
  auto out = buffer(63);
  const HandRun run = runByHand<straddlesTheEnd>(out, {});
  expectOne(run, model::ProblemKind::OutOfBounds, 0, 31, "8 bytes at byte 248 of out");
}

__global__ void straddlesTheEndOfShared(int*) {
  RECORDING_SHARED_DYNAMIC(0, data, int);
  recording::store(0, reinterpret_cast<long long*>(data), threadIdx.x) = 1;
}
TEST(OutOfBounds, HalfAnElementOfASharedArray) {
  auto out = buffer();
  const HandRun run = runByHand<straddlesTheEndOfShared>(out, {.sharedBytes = 12});
  expectOne(run, model::ProblemKind::OutOfBounds, 0, 1, "8 bytes at byte 8 of data, which has 12 bytes");
}

__global__ void usesItsOwnArray(int* out) {
  int own[4] = {1, 2, 3, 4};
  recording::update(0, own, threadIdx.x % 4) += 10;
  recording::store(1, out, threadIdx.x) = recording::load(2, own, threadIdx.x % 4);
}
TEST(OutOfBounds, NotSoForAThreadsOwnVariables) {
  auto out = buffer();
  const HandRun run = runByHand<usesItsOwnArray>(out, {});
  EXPECT_TRUE(run.problems.empty());
  EXPECT_EQ(out[6], 13);
  ASSERT_EQ(run.eventsOf(6).size(), 1u);  // the store to out: own variables are not recorded
  EXPECT_EQ(run.eventsOf(6)[0].site(), 1u);
}

constexpr int kTable[] = {5, 6, 7, 8};
__global__ void readsAConstant(int* out) {
  recording::store(1, out, threadIdx.x) = recording::load(2, kTable, threadIdx.x % 4);
}
TEST(OutOfBounds, NotSoForConstantsBesideTheKernel) {
  auto out = buffer();
  const HandRun run = runByHand<readsAConstant>(out, {});
  EXPECT_TRUE(run.problems.empty());
  EXPECT_EQ(out[5], 6);
}

struct alignas(16) Pack {
  int values[4];
};
__global__ void loadsAcross(int* out) {
  const Pack pack = recording::load(2, reinterpret_cast<const Pack*>(out + threadIdx.x), 0);
  recording::store(3, out, threadIdx.x) = pack.values[0];
}
TEST(OutOfBounds, AtAMisalignedAddressOfABuffer) {
  auto out = buffer();
  const HandRun run = runByHand<loadsAcross>(out, {});
  EXPECT_EQ(run.outcome, BlockOutcome::Stopped);
  expectOne(run, model::ProblemKind::OutOfBounds, 2, 1,
            "Thread 1 accesses 16 bytes at a misaligned address, 4 bytes past");
}
__global__ void storesAcross(int*) {
  RECORDING_SHARED_STATIC(0, data, int, [64]);
  recording::store(2, reinterpret_cast<long long*>(data + threadIdx.x), 0) = 1;
}
TEST(OutOfBounds, AtAMisalignedAddressOfASharedArray) {
  auto out = buffer();
  const HandRun run = runByHand<storesAcross>(out, {});
  expectOne(run, model::ProblemKind::OutOfBounds, 2, 1,
            "8 bytes at a misaligned address, 4 bytes past a multiple of 8");
}

__global__ void namesAMaskWithoutItself(int*) {
  recording::ballot_sync(1, threadIdx.x == 31 ? 1u << 30 : ~0u >> 1, 1);
}
TEST(UndefinedShuffle, OfALaneOutsideItsOwnMask) {
  auto out = buffer();
  const HandRun run = runByHand<namesAMaskWithoutItself>(out, {});
  ASSERT_FALSE(run.problems.empty());
  EXPECT_EQ(run.problems[0].kind, model::ProblemKind::UndefinedShuffle);
  EXPECT_EQ(run.problems[0].thread, 31u);
}

// ---- Barriers that are not everybody's.

__global__ void twoBarriers(int*) {
  if (threadIdx.x < 40)
    recording::syncthreads(1);
  else
    recording::syncthreads(2);
}
TEST(DivergentBarrier, OfTwoSites) {
  auto out = buffer();
  const HandRun run = runByHand<twoBarriers>(out, {.threads = 64});
  EXPECT_EQ(run.outcome, BlockOutcome::Finished);
  ASSERT_EQ(run.problems.size(), 2u);  // both places, both threads
  EXPECT_EQ(run.problems[0].kind, model::ProblemKind::DivergentBarrier);
  EXPECT_EQ(run.problems[0].site, 1);
  EXPECT_EQ(run.problems[0].thread, 0u);
  EXPECT_NE(run.problems[0].text.find("Thread 0 waits at this __syncthreads(), thread 40 at another one"),
            std::string::npos)
      << run.problems[0].text;
  EXPECT_EQ(run.problems[1].kind, model::ProblemKind::DivergentBarrier);
  EXPECT_EQ(run.problems[1].site, 2);
  EXPECT_EQ(run.problems[1].thread, 40u);
}

__global__ void someReturnEarly(int*) {
  if (threadIdx.x >= 33) return;
  recording::syncthreads(4);
}
TEST(DivergentBarrier, ThatSomeNeverReach) {
  auto out = buffer();
  const HandRun run = runByHand<someReturnEarly>(out, {.threads = 64});
  EXPECT_EQ(run.outcome, BlockOutcome::Finished);
  expectOne(run, model::ProblemKind::DivergentBarrier, 4, 33, "Only 33 of 64 threads");
}

// ---- Limits.

__global__ void neverEnds(int* out) {
  while (recording::branch(1, out[63] == 7)) {
  }
}
TEST(Limit, OfEventsEndsAKernelThatDoesNot) {
  auto out = buffer();
  const HandRun run = runByHand<neverEnds>(out, {.eventsPerThread = 1000});
  EXPECT_EQ(run.outcome, BlockOutcome::Stopped);
  expectOne(run, model::ProblemKind::Limit, -1, 0, "Thread 0 made more than 1000 events");
  EXPECT_TRUE(run.record.cut);
  EXPECT_EQ(run.eventsOf(0).size(), 1000u);
}
TEST(Limit, OfTheTraceEndsIt) {
  auto out = buffer();
  const HandRun run = runByHand<neverEnds>(out, {.traceBytes = 16 * 100});
  EXPECT_EQ(run.outcome, BlockOutcome::Stopped);
  expectOne(run, model::ProblemKind::Limit, -1, 0, "The trace reached 1600 bytes");
  EXPECT_TRUE(run.record.cut);
  EXPECT_EQ(run.record.events.size(), 100u);
}
TEST(Limit, HoldsForBlocksThatAreNotRecorded) {
  auto out = buffer();
  int* data = out.data();
  void* arguments[] = {&data};
  recording::HostLaunch launch;
  launch.grid = dim3(8);
  launch.block = dim3(32);
  launch.kernel = recording::KernelCall<neverEnds>::call;
  launch.arguments = arguments;
  launch.buffers = {{reinterpret_cast<std::uintptr_t>(data), 256}};
  recording::BlockRunner runner;
  ASSERT_EQ(runner.begin(launch), "");
  EXPECT_EQ(runner.run(7, false), BlockOutcome::Stopped);
  ASSERT_EQ(runner.problems().size(), 1u);
  EXPECT_NE(runner.problems()[0].text.find("of block 7 made more than 65\u202f536 events"),
            std::string::npos);
}

__global__ void makesExactlyTenEvents(int*) {
  for (int i = 0; i < 10; ++i) recording::branch(1, true);
}
TEST(Limit, LetsAThreadMakeExactlyAsMany) {
  auto out = buffer();
  EXPECT_TRUE(runByHand<makesExactlyTenEvents>(out, {.eventsPerThread = 10}).problems.empty());
  EXPECT_FALSE(runByHand<makesExactlyTenEvents>(out, {.eventsPerThread = 9}).problems.empty());
}

__global__ void copiesMuch(int*) {
  RECORDING_SHARED_DYNAMIC(0, data, int);
  recording::store(0, data, threadIdx.x) = 1;
  for (int i = 0; i < 100; ++i) recording::syncthreads(1);
}
TEST(Limit, OfTheCopiesOfSharedMemory) {
  auto out = buffer();
  const HandRun run = runByHand<copiesMuch>(out, {.sharedBytes = 40000, .traceBytes = 1 << 20});
  expectOne(run, model::ProblemKind::Limit, -1, run.problems[0].thread, "copies of shared memory");
  EXPECT_EQ(run.record.barrierCopies.size(), (1u << 20) / 40000);
}

// ---- A block that goes on where the trace is full.

// Each of 32 threads adds 100 ones to its element, with a barrier of the warp after each, and thread 0 waits
// for nobody.
__global__ void addsMany(int* out) {
  RECORDING_SHARED_DYNAMIC(0, data, int);
  recording::store(0, data, threadIdx.x) = 0;
  for (int i = 0; i < 100; ++i) {
    recording::store(1, data, threadIdx.x) = recording::load(2, data, threadIdx.x) + 1;
    recording::syncwarp(3);
  }
  recording::syncthreads(4);
  recording::store(5, out, threadIdx.x) = recording::load(6, data, (threadIdx.x + 1) % 32) + int(threadIdx.x);
}

void expectTheSums(const std::vector<int>& out) {
  for (int thread = 0; thread < 32; ++thread) EXPECT_EQ(out[std::size_t(thread)], 100 + thread);
}

TEST(Unrecorded, TheRestOfABlockRunsToItsEnd) {
  auto whole = buffer();
  const HandRun all = runByHand<addsMany>(whole, {.sharedBytes = 128});
  ASSERT_EQ(all.outcome, BlockOutcome::Finished);
  ASSERT_EQ(all.record.events.size(), 32u * (1 + 3 * 100 + 1 + 2));
  // A limit on the events of a thread, on all events, and on the copies of shared memory.
  for (const HandLaunch& options :
       {HandLaunch{.sharedBytes = 128, .goesOnUnrecorded = true, .recordedPerThread = 50},
        HandLaunch{.sharedBytes = 128, .traceBytes = 16 * 1000, .goesOnUnrecorded = true},
        HandLaunch{.sharedBytes = 128,
        .traceBytes = 16 * 1000,
        .goesOnUnrecorded = true,
        .recordedPerThread = 20}}) {
    auto out = buffer();
    const HandRun run = runByHand<addsMany>(out, options);
    EXPECT_EQ(run.outcome, BlockOutcome::Finished);
    expectTheSums(out);
    EXPECT_TRUE(run.record.cut);
    ASSERT_EQ(run.problems.size(), 1u);
    EXPECT_EQ(run.problems[0].kind, model::ProblemKind::Limit);
    EXPECT_NE(run.problems[0].text.find("from there on is not recorded"), std::string::npos);
    EXPECT_LE(run.record.events.size(), options.traceBytes / 16);
    for (unsigned thread = 0; thread < 32; ++thread) {  // what is recorded is how the whole began
      const auto began = run.eventsOf(thread), complete = all.eventsOf(thread);
      ASSERT_LE(began.size(), std::min<std::size_t>(complete.size(), options.recordedPerThread));
      EXPECT_TRUE(std::equal(began.begin(), began.end(), complete.begin())) << "thread " << thread;
    }
  }
}

TEST(Unrecorded, WhatNeverEndsIsStopped) {
  auto out = buffer();
  const HandRun run = runByHand<neverEnds>(
      out, {.eventsPerThread = 5000, .goesOnUnrecorded = true, .recordedPerThread = 100});
  EXPECT_EQ(run.outcome, BlockOutcome::Stopped);
  EXPECT_EQ(run.eventsOf(0).size(), 100u);
  EXPECT_TRUE(run.record.cut);
  // The others have had their turns since the record was full.
  expectOne(run, model::ProblemKind::Limit, -1, run.problems[0].thread,
            " made more than 5000 events and was stopped");
}

TEST(Unrecorded, CopiesOfSharedMemoryAreLeftOut) {
  auto out = buffer();
  const HandRun run =
      runByHand<copiesMuch>(out, {.sharedBytes = 40000, .traceBytes = 1 << 20, .goesOnUnrecorded = true});
  EXPECT_EQ(run.outcome, BlockOutcome::Finished);
  EXPECT_TRUE(run.record.cut);
  EXPECT_EQ(run.record.barrierCopies.size(), (1u << 20) / 40000);
  EXPECT_LT(run.eventsOf(0).size(), 101u);
}

__global__ void declaresTooMuch(int*) {
  RECORDING_SHARED_STATIC(0, data, int, [59000]);
  recording::store(0, data, threadIdx.x) = 1;
}
TEST(Limit, OfSharedMemory) {
  auto out = buffer();
  expectOne(runByHand<declaresTooMuch>(out, {}), model::ProblemKind::Limit, -1, 0,
            "236\u202f000 bytes of shared memory");
  EXPECT_EQ(runByHand<declaresTooMuch>(out, {.sharedBytes = 300000}).problems.size(), 1u);
  EXPECT_EQ(runByHand<declaresTooMuch>(out, {.threads = 1025}).problems.size(), 1u);
  EXPECT_EQ(runByHand<declaresTooMuch>(out, {.threads = 0}).problems.size(), 1u);
}

// ---- Not wrong: a thread that spins until another has written does end, and cancelling ends what does not.

__global__ void spins(int* out) {
  if (threadIdx.x == 0) {
    while (recording::branch(1, recording::load(2, static_cast<volatile int*>(out), 40) == 7)) {
    }
  } else {
    recording::store(3, out, threadIdx.x) = 1;
  }
}
TEST(Turns, GoOnWhileAThreadSpins) {
  auto out = buffer();
  const HandRun run = runByHand<spins>(out, {.threads = 64});
  EXPECT_EQ(run.outcome, BlockOutcome::Finished);
  EXPECT_TRUE(run.problems.empty());
}

__global__ void runsOutOfMemory(int* out) {
  out[threadIdx.x] = 1;
  recording::syncthreads(1);
  if (threadIdx.x == 40) throw std::bad_alloc();
  recording::syncthreads(2);
}

// As what is recorded may, in the middle of a kernel: the block ends, and the next one runs.
TEST(NoMemory, EndsTheBlock) {
  recording::BlockRunner runner;
  auto out = buffer();
  int* data = out.data();
  void* arguments[] = {&data};
  recording::HostLaunch launch;
  launch.block = dim3(64);
  launch.arguments = arguments;
  launch.buffers = {{reinterpret_cast<std::uintptr_t>(data), out.size() * sizeof(int)}};
  for (const bool runsOut : {true, false, true}) {
    launch.kernel =
        runsOut ? recording::KernelCall<runsOutOfMemory>::call : recording::KernelCall<spins>::call;
    ASSERT_EQ(runner.begin(launch), "");
    EXPECT_EQ(runner.run(0, true), runsOut ? BlockOutcome::NoMemory : BlockOutcome::Finished);
    EXPECT_EQ(recording::machine, nullptr);
  }
}

TEST(Cancel, EndsAKernelThatDoesNotWithinMilliseconds) {
  auto out = buffer();
  std::atomic<bool> cancel{false};
  std::chrono::steady_clock::time_point asked;
  std::thread canceller([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    asked = std::chrono::steady_clock::now();
    cancel = true;
  });
  const HandRun run = runByHand<neverEnds>(
      out, {.eventsPerThread = 4'000'000'000u, .traceBytes = 8ull << 30, .cancel = &cancel});
  const auto ended = std::chrono::steady_clock::now();
  canceller.join();
  EXPECT_EQ(run.outcome, BlockOutcome::Cancelled);
  EXPECT_LT(ended - asked, std::chrono::seconds(2));  // gathering the events included, on a busy machine
}

}  // namespace
}  // namespace stridescope::engine
