// What the executor records: events, snapshots, copied words; the same every time.
#include <gtest/gtest.h>

#include <cstring>

#include "engine/host/executor/fibers.h"
#include "hand_kernels.h"

namespace stridescope::engine {
namespace {

struct Expected {
  model::EventKind kind;
  unsigned site;
  unsigned space;
  std::uint64_t offset;
  unsigned width;
  std::uint64_t value;
};

void expectEvents(const std::vector<model::Event>& events, const std::vector<Expected>& expected) {
  ASSERT_EQ(events.size(), expected.size());
  for (std::size_t i = 0; i < events.size(); ++i) {
    SCOPED_TRACE(i);
    EXPECT_EQ(events[i].kind(), expected[i].kind);
    EXPECT_EQ(events[i].site(), expected[i].site);
    EXPECT_EQ(events[i].space(), expected[i].space);
    EXPECT_EQ(events[i].offset(), expected[i].offset);
    EXPECT_EQ(events[i].width(), expected[i].width);
    EXPECT_EQ(events[i].value, expected[i].value);
  }
}

constexpr unsigned kData = recording::kSharedSpace, kMore = recording::kSharedSpace + 1,
                   kOut = recording::kGlobalSpace;

__global__ void doesOneOfEach(int* out) {
  RECORDING_SHARED_DYNAMIC(0, data, int);
  RECORDING_SHARED_STATIC(1, more, short, [4][8]);
  const unsigned tid = threadIdx.x;
  recording::store(10, data, tid) = -int(tid);
  recording::update(11, more[tid % 4], 2) += 3;
  if (recording::branch(12, tid == 1)) recording::update(13, out, 0)++;
  recording::syncthreads(14);
  recording::store(15, out, tid) = recording::load(16, data, 1);
}
TEST(BlockRecord, HoldsEachThreadsEventsInOrder) {
  std::vector<int> out(64, 7);
  const HandRun run = runByHand<doesOneOfEach>(out, {.threads = 2, .sharedBytes = 8});
  const std::uint64_t unwritten = 0xa5a5;  // what the executor fills shared memory with
  expectEvents(run.eventsOf(1), {{model::EventKind::Store, 10, kData, 4, 4, 0xffffffffu},
                                 {model::EventKind::Load, 11, kMore, 20, 2, unwritten},
                                 {model::EventKind::Store, 11, kMore, 20, 2, unwritten + 3},
                                 {model::EventKind::Branch, 12, 0, 0, 1, 1},
                                 {model::EventKind::Load, 13, kOut, 0, 4, 7},
                                 {model::EventKind::Store, 13, kOut, 0, 4, 8},
                                 {model::EventKind::BlockBarrier, 14, 0, 0, 1, 0},
                                 {model::EventKind::Load, 16, kData, 4, 4, 0xffffffffu},
                                 {model::EventKind::Store, 15, kOut, 4, 4, 0xffffffffu}});
  EXPECT_EQ(run.record.sharedBytes, (std::vector<std::uint64_t>{8, 64}));
  ASSERT_EQ(run.record.barrierCopies.size(), 1u);
  ASSERT_EQ(run.record.barrierCopies[0].size(), 72u);
  int second = 0;
  std::memcpy(&second, run.record.barrierCopies[0].data() + 4, 4);
  EXPECT_EQ(second, -1);
  short updated = 0;
  std::memcpy(&updated, run.record.barrierCopies[0].data() + 8 + 20, 2);
  EXPECT_EQ(updated, short(unwritten + 3));
}

struct alignas(16) Wide {
  long long low, high;
};
__global__ void movesSixteenBytes(Wide* out) {
  RECORDING_SHARED_STATIC(0, data, Wide, [4]);
  recording::store(1, data, 2) = {5, -6};
  recording::store(2, out, 1) = recording::load(3, data, 2);
}
TEST(BlockRecord, HasTwoEventsForSixteenBytes) {
  std::vector<Wide> out(2);
  const HandRun run = runByHand<movesSixteenBytes>(out, {.threads = 1});
  const auto events = run.eventsOf(0);
  const std::uint64_t minusSix = std::uint64_t(-6);
  expectEvents(events, {{model::EventKind::Store, 1, kData, 32, 16, 5},
                        {model::EventKind::Store, 1, kData, 40, 16, minusSix},
                        {model::EventKind::Load, 3, kData, 32, 16, 5},
                        {model::EventKind::Load, 3, kData, 40, 16, minusSix},
                        {model::EventKind::Store, 2, kOut, 16, 16, 5},
                        {model::EventKind::Store, 2, kOut, 24, 16, minusSix}});
  for (std::size_t i = 0; i < events.size(); ++i) EXPECT_EQ(events[i].secondHalf(), i % 2 == 1);
  EXPECT_EQ(out[1].high, -6);
}

__global__ void declaresLate(int*) {
  RECORDING_SHARED_STATIC(1, more, int, [2]);
  recording::store(0, more, 0) = 1;
  recording::syncthreads(1);
  RECORDING_SHARED_STATIC(0, data, int, [1]);
  recording::store(2, data, 0) = 2;
  recording::syncthreads(3);
}
TEST(BlockRecord, OrdersArraysByTheirNumber) {
  std::vector<int> out(1);
  const HandRun run = runByHand<declaresLate>(out, {.threads = 1});
  EXPECT_EQ(run.record.sharedBytes, (std::vector<std::uint64_t>{4, 8}));
  ASSERT_EQ(run.record.barrierCopies.size(), 2u);
  for (const auto& copy : run.record.barrierCopies) {
    ASSERT_EQ(copy.size(), 12u);
    EXPECT_EQ(copy[4], 1);
  }
  EXPECT_EQ(run.record.barrierCopies[1][0], 2);
}

__global__ void foldsInAWarp(int*) {
  RECORDING_SHARED_DYNAMIC(0, data, int);
  const unsigned tid = threadIdx.x;
  recording::store(0, data, tid) = int(tid);
  recording::syncthreads(1);
  if (tid < 16) {
    const int sum = recording::load(2, data, tid) + recording::load(3, data, tid + 16);
    recording::syncwarp(4, 0xffffu);
    recording::store(5, data, tid) = sum;
    recording::syncwarp(6, 0xffffu);
  }
}
TEST(BlockRecord, CopiesWhatALaneTouchedSinceItsLastBarrier) {
  std::vector<int> out(1);
  const HandRun run = runByHand<foldsInAWarp>(out, {.threads = 32, .sharedBytes = 128});
  const auto& copied = run.record.copied;
  ASSERT_EQ(copied.size(), 16u * 3);
  for (unsigned t = 0; t < 16;
       ++t) {  // two words read before the first warp barrier, one written before the second
    const auto* words = &copied[t * 3];
    for (int i = 0; i < 3; ++i) {
      EXPECT_EQ(words[i].thread, t);
      EXPECT_EQ(words[i].barrier, i < 2 ? 0u : 1u);
      EXPECT_EQ(words[i].event.kind(), model::EventKind::Copied);
      EXPECT_EQ(words[i].event.site(), i < 2 ? 4u : 6u);
      EXPECT_EQ(words[i].event.space(), kData);
      EXPECT_EQ(words[i].event.width(), 4u);
    }
    EXPECT_EQ(words[0].event.offset(), 4 * t);
    EXPECT_EQ(words[0].event.value, t);
    EXPECT_EQ(words[1].event.offset(), 4 * (t + 16));
    EXPECT_EQ(words[1].event.value, t + 16);
    EXPECT_EQ(words[2].event.offset(), 4 * t);
    EXPECT_EQ(words[2].event.value, 2 * t + 16);
  }
}

__global__ void readsAWordTwice(int* out) {
  RECORDING_SHARED_DYNAMIC(0, data, int);
  recording::store(0, data, 3) = 1;
  recording::update(1, data, 3) += 1;
  recording::store(2, data, 1) = 5;
  recording::syncwarp(3, 1);
}
TEST(BlockRecord, CopiesAWordOnceAndInOrder) {
  std::vector<int> out(1);
  const HandRun run = runByHand<readsAWordTwice>(out, {.threads = 1, .sharedBytes = 16});
  ASSERT_EQ(run.record.copied.size(), 2u);
  EXPECT_EQ(run.record.copied[0].event.offset(), 4u);
  EXPECT_EQ(run.record.copied[0].event.value, 5u);
  EXPECT_EQ(run.record.copied[1].event.offset(), 12u);
  EXPECT_EQ(run.record.copied[1].event.value, 2u);
}

__global__ void mixesEverything(int* out) {
  RECORDING_SHARED_DYNAMIC(0, data, int);
  const unsigned tid = threadIdx.x;
  recording::store(0, data, tid) = int(tid * tid);
  for (unsigned s = 1; recording::branch(1, s < blockDim.x); s *= 2) {
    recording::syncthreads(2);
    const int other = recording::load(3, data, (tid + s) % blockDim.x);
    recording::syncthreads(4);
    recording::update(5, data, tid) ^= other;
    recording::atomicAdd(6, out, other);
  }
}
TEST(BlockRecord, IsTheSameEveryTimeForEveryBlockSize) {
  for (unsigned threads : {1u, 7u, 31u, 32u, 33u, 200u, 512u, 999u, 1024u}) {
    std::vector<int> first(1, 0), second(1, 0);
    const HandLaunch launch{.threads = threads, .sharedBytes = 4096};
    const HandRun a = runByHand<mixesEverything>(first, launch),
                  b = runByHand<mixesEverything>(second, launch);
    EXPECT_TRUE(a.problems.empty());
    EXPECT_EQ(a.record.events, b.record.events);
    EXPECT_EQ(a.record.first, b.record.first);
    EXPECT_EQ(a.record.barrierCopies, b.record.barrierCopies);
    EXPECT_EQ(first, second);
    ASSERT_EQ(a.record.first.size(), threads + 1);
    unsigned rounds = 0;
    for (unsigned s = 1; s < threads; s *= 2) ++rounds;
    for (unsigned t = 0; t < threads; ++t)  // a store, a last branch; 1 + 1 + 1 + 1 + 2 + 1 events per stride
      ASSERT_EQ(a.record.first[t + 1] - a.record.first[t], 2 + rounds * 7);
  }
}

// Stacks of runs that are over are kept for later ones: those of a large block, too, where the stacks of many
// small blocks are kept already. What was written there tells that they are the same.
TEST(FiberStacks, OfALargeBlockAreKeptThoughManySmallOnesAre) {
  constexpr std::size_t kLarge = 1024, kSmall = 64, kObjects = 80;
  const auto written = [](const recording::FiberStacks& stacks) {
    return static_cast<volatile std::uint32_t*>(const_cast<void*>(stacks.boundsOf(kLarge - 1).bottom));
  };
  // Large ones that earlier tests left would be taken first: no more than these are kept.
  std::vector<recording::FiberStacks> others(4);
  for (recording::FiberStacks& stacks : others) ASSERT_TRUE(stacks.reserve(kLarge));
  std::vector<recording::FiberStacks> small(kObjects);
  for (recording::FiberStacks& stacks : small) ASSERT_TRUE(stacks.reserve(kSmall));
  small.clear();
  {
    recording::FiberStacks large;
    ASSERT_TRUE(large.reserve(kLarge));
    *written(large) = 0x5eed;
  }
  recording::FiberStacks again;
  ASSERT_TRUE(again.reserve(kLarge));
  EXPECT_EQ(*written(again), 0x5eedu);
}

}  // namespace
}  // namespace stridescope::engine
