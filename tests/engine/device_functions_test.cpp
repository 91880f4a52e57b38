// CUDA's device functions on the CPU executor, each against a plain model of what the CUDA C++ Programming
// Guide says, over blocks of many sizes.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <functional>

#include "hand_kernels.h"

namespace stridescope::engine {
namespace {

constexpr unsigned kBlockSizes[] = {1, 2, 31, 32, 33, 63, 64, 65, 100, 256, 500, 1000, 1023, 1024};

unsigned lanesOfWarp(unsigned thread, unsigned threads) { return std::min(32u, threads - thread / 32 * 32); }
unsigned fullMask(unsigned thread, unsigned threads) {
  const unsigned lanes = lanesOfWarp(thread, threads);
  return lanes == 32 ? ~0u : (1u << lanes) - 1;
}

// A value for each thread that no other has.
__device__ int valueOf(unsigned thread) { return int(thread * 2654435761u); }
__device__ unsigned maskOfMyWarp() {
  const unsigned lanes = min(32u, blockDim.x - threadIdx.x / 32 * 32);
  return lanes == 32 ? ~0u : (1u << lanes) - 1;
}

template <auto kernel>
void expectOfEveryBlockSize(const std::function<int(unsigned thread, unsigned threads)>& model) {
  for (unsigned threads : kBlockSizes) {
    std::vector<int> out(threads, -1);
    const HandRun run = runByHand<kernel>(out, {.threads = threads, .sharedBytes = 4096});
    EXPECT_EQ(run.outcome, recording::BlockOutcome::Finished) << threads;
    EXPECT_TRUE(run.problems.empty()) << threads << ": " << run.problems[0].text;
    for (unsigned t = 0; t < threads; ++t) ASSERT_EQ(out[t], model(t, threads)) << t << " of " << threads;
  }
}

// ---- Shuffles. The model follows the guide's words: segments of `width` lanes, each as a warp of its own.

template <unsigned delta, int width>
__global__ void shufflesDown(int* out) {
  out[threadIdx.x] = recording::shfl_down_sync(0, maskOfMyWarp(), valueOf(threadIdx.x), delta, width);
}
template <unsigned delta, int width>
__global__ void shufflesUp(int* out) {
  out[threadIdx.x] = recording::shfl_up_sync(0, maskOfMyWarp(), valueOf(threadIdx.x), delta, width);
}
template <int laneMask, int width>
__global__ void shufflesXor(int* out) {
  out[threadIdx.x] = recording::shfl_xor_sync(0, maskOfMyWarp(), valueOf(threadIdx.x), laneMask, width);
}
template <int source, int width>
__global__ void shufflesFrom(int* out) {
  out[threadIdx.x] = recording::shfl_sync(0, maskOfMyWarp(), valueOf(threadIdx.x), source, width);
}

// Only blocks of whole warps: a source that is not there would be a problem, which wrong_kernels_test checks.
template <auto kernel>
void expectShuffle(const std::function<unsigned(unsigned lane)>& source) {
  for (unsigned threads : {32u, 64u, 1024u}) {
    std::vector<int> out(threads, -1);
    const HandRun run = runByHand<kernel>(out, {.threads = threads});
    EXPECT_TRUE(run.problems.empty());
    for (unsigned t = 0; t < threads; ++t) {
      ASSERT_EQ(out[t], valueOf(t / 32 * 32 + source(t % 32))) << t;
      const auto events = run.eventsOf(t);
      ASSERT_EQ(events.size(), 2u);
      EXPECT_EQ(events[0].kind(), model::EventKind::Give);
      EXPECT_EQ(events[0].value, unsigned(valueOf(t)));
      EXPECT_EQ(events[1].kind(), model::EventKind::Shuffle);
      EXPECT_EQ(events[1].laneMask(), ~0u);
      EXPECT_EQ(events[1].sourceLane(), source(t % 32));
      EXPECT_EQ(events[1].value, unsigned(out[t]));
    }
  }
}

template <unsigned delta, int width>
void expectUpAndDown() {
  SCOPED_TRACE(std::to_string(delta) + " in segments of " + std::to_string(width));
  expectShuffle<shufflesDown<delta, width>>(
      [](unsigned lane) { return lane % width + delta < unsigned(width) ? lane + delta : lane; });
  expectShuffle<shufflesUp<delta, width>>(
      [](unsigned lane) { return lane % width >= delta ? lane - delta : lane; });
}
TEST(Shuffles, UpAndDown) {
  expectUpAndDown<0, 32>();
  expectUpAndDown<1, 32>();
  expectUpAndDown<16, 32>();
  expectUpAndDown<31, 32>();
  expectUpAndDown<40, 32>();
  expectUpAndDown<3, 16>();
  expectUpAndDown<1, 2>();
  expectUpAndDown<5, 8>();
}
template <int laneMask, int width>
void expectXor() {
  // A lane may read an earlier segment, not a later one.
  expectShuffle<shufflesXor<laneMask, width>>([](unsigned lane) {
    const unsigned other = lane ^ laneMask;
    return other / width > lane / width ? lane : other;
  });
}
TEST(Shuffles, Xor) {
  expectXor<1, 32>();
  expectXor<16, 32>();
  expectXor<31, 32>();
  expectXor<5, 8>();
  expectXor<16, 8>();
  expectXor<4, 4>();
}
template <int source, int width>
void expectFrom() {
  expectShuffle<shufflesFrom<source, width>>(
      [](unsigned lane) { return lane / width * width + source % width; });
}
TEST(Shuffles, FromALane) {
  expectFrom<0, 32>();
  expectFrom<31, 32>();
  expectFrom<35, 32>();
  expectFrom<3, 8>();
  expectFrom<11, 8>();
}

template <class T>
__global__ void shufflesWide(T* out) {
  const T mine = T(threadIdx.x) * T(0x123456789);
  out[threadIdx.x] = recording::shfl_xor_sync(0, ~0u, mine, 1);
}
TEST(Shuffles, OfEightBytes) {
  std::vector<long long> integers(32);
  runByHand<shufflesWide<long long>>(integers, {});
  std::vector<double> floats(32);
  const HandRun run = runByHand<shufflesWide<double>>(floats, {});
  for (unsigned t = 0; t < 32; ++t) {
    EXPECT_EQ(integers[t], (long long)(t ^ 1) * 0x123456789);
    EXPECT_EQ(floats[t], double(t ^ 1) * double(0x123456789));
    EXPECT_EQ(run.eventsOf(t)[1].width(), 8u);
  }
}

// ---- Votes, reductions, active lanes.

__global__ void ballots(int* out) {
  out[threadIdx.x] = int(recording::ballot_sync(0, maskOfMyWarp(), threadIdx.x % 3 == 0 ? 256 : 0));
}
__global__ void votesAny(int* out) {
  out[threadIdx.x] = recording::any_sync(0, maskOfMyWarp(), threadIdx.x == 33);
}
__global__ void votesAll(int* out) {
  out[threadIdx.x] = recording::all_sync(0, maskOfMyWarp(), threadIdx.x != 33);
}
TEST(Votes, AreTheWarps) {
  expectOfEveryBlockSize<ballots>([](unsigned t, unsigned threads) {
    unsigned ballot = 0;
    for (unsigned lane = 0; lane < lanesOfWarp(t, threads); ++lane)
      ballot |= unsigned((t / 32 * 32 + lane) % 3 == 0) << lane;
    return int(ballot);
  });
  expectOfEveryBlockSize<votesAny>(
      [](unsigned t, unsigned threads) { return int(t / 32 == 1 && threads > 33); });
  expectOfEveryBlockSize<votesAll>(
      [](unsigned t, unsigned threads) { return int(t / 32 != 1 || threads <= 33); });
}

__global__ void votesInABranch(int* out) {
  if (threadIdx.x % 2 == 0)
    out[threadIdx.x] = int(recording::ballot_sync(0, maskOfMyWarp() & 0x55555555u, 1));
  else
    out[threadIdx.x] = int(recording::ballot_sync(1, maskOfMyWarp() & 0xaaaaaaaau, 1));
}
TEST(Votes, OfTwoGroupsInAWarp) {
  expectOfEveryBlockSize<votesInABranch>([](unsigned t, unsigned threads) {
    return int(fullMask(t, threads) & (t % 2 == 0 ? 0x55555555u : 0xaaaaaaaau));
  });
}

__global__ void asksWhoIsActive(int* out) {
  if (recording::branch(0, threadIdx.x % 4 == 1)) {
    const unsigned lanes = recording::activemask(1);
    out[threadIdx.x] = int(lanes) + recording::reduce_add_sync(2, lanes, 0);
  } else {
    out[threadIdx.x] = int(recording::activemask(3));
  }
}
TEST(Votes, ActiveLanesAreThoseOfTheBranch) {
  expectOfEveryBlockSize<asksWhoIsActive>([](unsigned t, unsigned threads) {
    return int(fullMask(t, threads) & (t % 4 == 1 ? 0x22222222u : ~0x22222222u));
  });
}

template <class T, T (*reduce)(unsigned, unsigned, T)>
__global__ void reduces(int* out) {
  out[threadIdx.x] = int(reduce(0, maskOfMyWarp(), T(valueOf(threadIdx.x))));
}
template <class T, T (*reduce)(unsigned, unsigned, T)>
void expectReduction(const std::function<T(T, T)>& fold) {
  expectOfEveryBlockSize<reduces<T, reduce>>([&](unsigned t, unsigned threads) {
    const unsigned first = t / 32 * 32;
    T result = T(valueOf(first));
    for (unsigned lane = 1; lane < lanesOfWarp(t, threads); ++lane)
      result = fold(result, T(valueOf(first + lane)));
    return int(result);
  });
}
TEST(Reductions, AreTheWarps) {
  expectReduction<int, recording::reduce_add_sync<int>>(
      [](int a, int b) { return int(unsigned(a) + unsigned(b)); });
  expectReduction<int, recording::reduce_min_sync<int>>([](int a, int b) { return std::min(a, b); });
  expectReduction<int, recording::reduce_max_sync<int>>([](int a, int b) { return std::max(a, b); });
  using U = unsigned;
  expectReduction<U, recording::reduce_add_sync<U>>([](U a, U b) { return a + b; });
  expectReduction<U, recording::reduce_min_sync<U>>([](U a, U b) { return std::min(a, b); });
  expectReduction<U, recording::reduce_max_sync<U>>([](U a, U b) { return std::max(a, b); });
  expectReduction<U, recording::reduce_and_sync<U>>([](U a, U b) { return a & b; });
  expectReduction<U, recording::reduce_or_sync<U>>([](U a, U b) { return a | b; });
  expectReduction<U, recording::reduce_xor_sync<U>>([](U a, U b) { return a ^ b; });
}

__global__ void someLanesReturnBeforeTheOthersMeet(int* out) {
  out[threadIdx.x] = 0;
  if (threadIdx.x % 32 >= 8) return;
  out[threadIdx.x] = recording::reduce_add_sync(0, ~0u, 1);
}
TEST(Reductions, DoNotWaitForLanesThatHaveReturned) {
  expectOfEveryBlockSize<someLanesReturnBeforeTheOthersMeet>([](unsigned t, unsigned threads) {
    return t % 32 < 8 ? int(std::min(8u, lanesOfWarp(t, threads))) : 0;
  });
}

// ---- Block barriers with a vote.

__global__ void countsAtTheBarrier(int* out) {
  out[threadIdx.x] = recording::syncthreads_count(0, threadIdx.x % 5 == 0);
}
__global__ void allAtTheBarrier(int* out) {
  out[threadIdx.x] = recording::syncthreads_and(0, threadIdx.x != 100);
}
__global__ void anyAtTheBarrier(int* out) {
  out[threadIdx.x] = recording::syncthreads_or(0, threadIdx.x == 100);
}
TEST(BlockBarriers, Vote) {
  expectOfEveryBlockSize<countsAtTheBarrier>(
      [](unsigned, unsigned threads) { return int((threads + 4) / 5); });
  expectOfEveryBlockSize<allAtTheBarrier>([](unsigned, unsigned threads) { return int(threads <= 100); });
  expectOfEveryBlockSize<anyAtTheBarrier>([](unsigned, unsigned threads) { return int(threads > 100); });
}

__global__ void passesRoundTheBlock(int* out) {
  RECORDING_SHARED_DYNAMIC(0, data, int);
  recording::store(0, data, threadIdx.x) = int(threadIdx.x);
  for (int step = 0; recording::branch(1, step < 5); ++step) {
    recording::syncthreads(2);
    const int next = recording::load(3, data, (threadIdx.x + 1) % blockDim.x);
    recording::syncthreads(4);
    recording::store(5, data, threadIdx.x) = next;
  }
  recording::store(6, out, threadIdx.x) = recording::load(7, data, threadIdx.x);
}
TEST(BlockBarriers, KeepTheBlockTogether) {
  expectOfEveryBlockSize<passesRoundTheBlock>(
      [](unsigned t, unsigned threads) { return int((t + 5) % threads); });
}

// ---- Atomics: what is left in memory, and what each thread was given (in the order of the schedule).

__global__ void usesEveryAtomic(int* out) {
  int* const signedCell = out;
  unsigned* const cell = reinterpret_cast<unsigned*>(out) + 1;
  out[10] = recording::atomicAdd(0, signedCell, 5);
  out[11] = recording::atomicSub(1, signedCell, 7);
  out[12] = recording::atomicMin(2, signedCell, -9);
  out[13] = recording::atomicMax(3, signedCell, 4);
  out[14] = recording::atomicExch(4, signedCell, 100);
  out[15] = recording::atomicCAS(5, signedCell, 99, 1);
  out[16] = recording::atomicCAS(6, signedCell, 100, 2);
  out[20] = int(recording::atomicAnd(7, cell, 0xff00ff00u));
  out[21] = int(recording::atomicOr(8, cell, 0x11u));
  out[22] = int(recording::atomicXor(9, cell, 0xfu));
  out[23] = int(recording::atomicExch(10, cell, 4u));
  out[24] = int(recording::atomicInc(11, cell, 5u));
  out[25] = int(recording::atomicInc(12, cell, 5u));
  out[26] = int(recording::atomicMin(13, cell, 0xffffffffu));
  out[27] = int(recording::atomicMax(14, cell, 0xffffffffu));
}
TEST(Atomics, DoWhatTheirNamesSay) {
  std::vector<int> out(64, 0);
  out[1] = int(0xf0f0f0f0u);
  const HandRun run = runByHand<usesEveryAtomic>(out, {.threads = 1});
  EXPECT_TRUE(run.problems.empty());
  const std::vector<int> signedOnes(out.begin() + 10, out.begin() + 17);
  EXPECT_EQ(signedOnes, (std::vector<int>{0, 5, -2, -9, 4, 100, 100}));
  EXPECT_EQ(out[0], 2);
  const std::vector<unsigned> unsignedOnes(out.begin() + 20, out.begin() + 28);
  EXPECT_EQ(unsignedOnes,
            (std::vector<unsigned>{0xf0f0f0f0u, 0xf000f000u, 0xf000f011u, 0xf000f01eu, 4u, 5u, 0u, 0u}));
  EXPECT_EQ(unsigned(out[1]), 0xffffffffu);
  const auto events = run.eventsOf(0);
  ASSERT_EQ(events.size(), 15u);
  EXPECT_EQ(events[5].kind(), model::EventKind::Atomic);
  EXPECT_EQ(events[5].value, 1u);  // a CAS records the new value
  EXPECT_EQ(events[7].offset(), 4u);
  EXPECT_EQ(events[7].value, 0xff00ff00u);
}

__global__ void everyThreadAdds(int* out) { recording::atomicAdd(0, out, int(threadIdx.x)); }
TEST(Atomics, OfAWholeBlock) {
  std::vector<int> out(1, 0);
  runByHand<everyThreadAdds>(out, {.threads = 1000});
  EXPECT_EQ(out[0], 499500);
}

// ---- Arithmetic.

TEST(Arithmetic, OfBits) {
  for (unsigned x : {0u, 1u, 2u, 0x80000000u, 0xffffffffu, 0x00ff0100u, 0x7fffffffu}) {
    int ones = 0, first = 0, leading = 32;
    unsigned reversed = 0;
    for (int bit = 31; bit >= 0; --bit)
      if ((x >> bit & 1) != 0) {
        ++ones;
        first = bit + 1;
        if (leading == 32) leading = 31 - bit;
        reversed |= 1u << (31 - bit);
      }
    EXPECT_EQ(__popc(x), ones);
    EXPECT_EQ(__ffs(int(x)), first);
    EXPECT_EQ(__clz(int(x)), leading);
    EXPECT_EQ(__brev(x), reversed);
    EXPECT_EQ(__popcll((unsigned long long)x << 20), ones);
    EXPECT_EQ(__ffsll((long long)((unsigned long long)x << 20)), x == 0 ? 0 : first + 20);
    EXPECT_EQ(__clzll((long long)x), leading + 32);
  }
}
TEST(Arithmetic, MinAndMaxAsCudaOverloadsThem) {
  EXPECT_EQ(min(-1, 1), -1);
  EXPECT_EQ(max(-1, 1), 1);
  EXPECT_EQ(min(-1, 1u), 1u);  // the signed one is converted
  EXPECT_EQ(max(-1, 1u), 0xffffffffu);
  EXPECT_EQ(min(-5ll, 3ll), -5ll);
  EXPECT_EQ(max(5ull, 3ull), 5ull);
  EXPECT_EQ(min(1.5f, -2.5f), -2.5f);
  EXPECT_EQ(max(1.5, __builtin_nan("")), 1.5);  // the number, not the NaN
}

// ---- Indices.

__global__ void tellsItsPlace(int* out) {
  const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  out[block * 24 + thread] += int(1000 * block + 100 * threadIdx.z + 10 * threadIdx.y + threadIdx.x);
}
TEST(Indices, OfThreeDimensions) {
  std::vector<int> out(24 * 12, 0);
  int* data = out.data();
  void* arguments[] = {&data};
  recording::HostLaunch launch;
  launch.grid = dim3(3, 2, 2);
  launch.block = dim3(2, 3, 4);
  launch.kernel = recording::KernelCall<tellsItsPlace>::call;
  launch.arguments = arguments;
  recording::BlockRunner runner;
  ASSERT_EQ(runner.begin(launch), "");
  for (unsigned block = 0; block < 12; ++block) runner.run(block, false);
  for (int block = 0; block < 12; ++block)
    for (int thread = 0; thread < 24; ++thread)
      EXPECT_EQ(out[std::size_t(block * 24 + thread)],
                1000 * block + 100 * (thread / 6) + 10 * (thread / 2 % 3) + thread % 2);
}

}  // namespace
}  // namespace stridescope::engine
