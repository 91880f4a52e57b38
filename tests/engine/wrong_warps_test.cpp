// Lanes that wait for ever, and lanes that take no part in what others do with them.
#include <gtest/gtest.h>

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

// ---- Waiting for ever.

__global__ void waitsForLanesAtTheBlockBarrier(int*) {
  if (threadIdx.x < 16)
    recording::syncwarp(3);
  else
    recording::syncthreads(5);
}
TEST(Deadlock, OfAWarpBarrierAndABlockBarrier) {
  auto out = buffer();
  const HandRun run = runByHand<waitsForLanesAtTheBlockBarrier>(out, {});
  EXPECT_EQ(run.outcome, BlockOutcome::Stopped);
  ASSERT_EQ(run.problems.size(), 2u);
  EXPECT_EQ(run.problems[0].kind, model::ProblemKind::Deadlock);
  EXPECT_EQ(run.problems[0].site, 3);
  EXPECT_EQ(run.problems[0].thread, 0u);
  EXPECT_NE(run.problems[0].text.find("Thread 0 waits for lanes 16, 17, 18 and 13 others"), std::string::npos)
      << run.problems[0].text;
  EXPECT_EQ(run.problems[1].kind, model::ProblemKind::Deadlock);
  EXPECT_EQ(run.problems[1].site, 5);
  EXPECT_EQ(run.problems[1].thread, 16u);
}

__global__ void waitsWithDifferentMasks(int*) {
  recording::syncwarp(2, threadIdx.x == 0 ? 0xffffffffu : 0x0000ffffu | 1u << threadIdx.x);
}
TEST(Deadlock, OfMasksThatDiffer) {
  auto out = buffer();
  const HandRun run = runByHand<waitsWithDifferentMasks>(out, {});
  EXPECT_EQ(run.outcome, BlockOutcome::Stopped);
  expectOne(run, model::ProblemKind::Deadlock, 2, 0, "another mask");
}

__global__ void waitsInAnotherOperation(int* out) {
  if (threadIdx.x == 5)
    out[5] = int(recording::ballot_sync(1, ~0u, 1));
  else
    recording::syncwarp(2);
}
TEST(Deadlock, OfTwoWarpOperations) {
  auto out = buffer();
  const HandRun run = runByHand<waitsInAnotherOperation>(out, {});
  expectOne(run, model::ProblemKind::Deadlock, 2, 0, "lane 5 of its warp, in another warp operation");
}

// ---- Lanes that take no part.

__global__ void shufflesFromAbsentLanes(int* out) {
  if (threadIdx.x < 16) out[threadIdx.x] = recording::shfl_down_sync(3, 0x0000ffffu, int(threadIdx.x), 8);
}
TEST(UndefinedShuffle, FromALaneOutsideTheMask) {
  auto out = buffer();
  const HandRun run = runByHand<shufflesFromAbsentLanes>(out, {});
  EXPECT_EQ(run.outcome, BlockOutcome::Finished);
  expectOne(run, model::ProblemKind::UndefinedShuffle, 3, 8,
            "shuffles from lane 16, which the mask does not name");
  EXPECT_EQ(out[3], 11);
}

__global__ void shufflesFromReturnedLanes(int* out) {
  if (threadIdx.x >= 16) return;
  out[threadIdx.x] = recording::shfl_down_sync(3, ~0u, int(threadIdx.x), 8);
}
TEST(UndefinedShuffle, FromALaneThatHasReturned) {
  auto out = buffer();
  const HandRun run = runByHand<shufflesFromReturnedLanes>(out, {});
  expectOne(run, model::ProblemKind::UndefinedShuffle, 3, 8, "shuffles from lane 16, which has returned");
  EXPECT_EQ(out[7], 15);
}

__global__ void shufflesFromLanesThatAreNot(int* out) {
  out[threadIdx.x] = recording::shfl_down_sync(3, ~0u, int(threadIdx.x), 16);
}
TEST(UndefinedShuffle, FromALaneThatTheBlockDoesNotHave) {
  auto out = buffer();
  const HandRun run = runByHand<shufflesFromLanesThatAreNot>(out, {.threads = 20});
  expectOne(run, model::ProblemKind::UndefinedShuffle, 3, 4,
            "shuffles from lane 20, which this block does not have");
  EXPECT_EQ(out[3], 19);
}

// The mask names all lanes, but half of them are on their way to the block barrier.
__global__ void namesLanesThatAreElsewhere(int* out) {
  if (recording::branch(1, threadIdx.x < 16))
    out[threadIdx.x] = recording::shfl_down_sync(3, ~0u, int(threadIdx.x), 8);
  recording::syncthreads(5);
}
TEST(Deadlock, OfAShuffleWhoseMaskNamesLanesThatAreElsewhere) {
  auto out = buffer();
  const HandRun run = runByHand<namesLanesThatAreElsewhere>(out, {});
  EXPECT_EQ(run.outcome, BlockOutcome::Stopped);
  ASSERT_EQ(run.problems.size(), 2u);
  EXPECT_EQ(run.problems[0].kind, model::ProblemKind::Deadlock);
  EXPECT_EQ(run.problems[0].site, 3);
  EXPECT_EQ(run.problems[0].thread, 0u);
  EXPECT_NE(
      run.problems[0].text.find("waits for lanes 16, 17, 18 and 13 others of its warp, at __syncthreads()"),
      std::string::npos)
      << run.problems[0].text;
  EXPECT_EQ(run.problems[1].site, 5);
  EXPECT_EQ(run.problems[1].thread, 16u);
}

// Half of the lanes are already at the next shuffle of the same mask.
__global__ void meetsInTwoShuffles(int* out) {
  int value = int(threadIdx.x);
  if (threadIdx.x < 16) value += recording::shfl_xor_sync(3, ~0u, value, 16);
  if (threadIdx.x >= 16) value += recording::shfl_xor_sync(4, ~0u, value, 16);
  out[threadIdx.x] = value;
}
TEST(UndefinedShuffle, OfLanesThatMeetInTwoPlaces) {
  auto out = buffer();
  const HandRun run = runByHand<meetsInTwoShuffles>(out, {});
  ASSERT_EQ(run.problems.size(), 2u);
  for (const model::Problem& problem : run.problems)
    EXPECT_EQ(problem.kind, model::ProblemKind::UndefinedShuffle);
  EXPECT_EQ(run.problems[0].site, 3);
  EXPECT_EQ(run.problems[0].thread, 0u);
  EXPECT_NE(run.problems[0].text.find("Thread 0 meets thread 16 here"), std::string::npos);
  EXPECT_EQ(run.problems[1].site, 4);
  EXPECT_EQ(run.problems[1].thread, 16u);
}

}  // namespace
}  // namespace stridescope::engine
