// Operands, results, usefulness and live elements of every rung, worked out by hand: 256 threads, ints, the
// ramp 0, 1, 2, ..., whose sum from p on over n elements is n*p + n*(n-1)/2.
#include "analysis/data_flow.h"

#include <gtest/gtest.h>

#include <numeric>

#include "support/ladder_trace.h"
#include "support/trace_builder.h"

namespace stridescope::analysis {
namespace {

using support::ladderTrace;
using support::TraceBuilder;

constexpr unsigned kThreads = 256;

struct Flow {
  model::Trace trace;
  Analysis analysis;
  std::vector<RoundFlow> rounds;
};
Flow flowOf(model::Trace trace) {
  Flow flow{std::move(trace), {}, {}};
  flow.analysis = analyse(flow.trace);
  flow.rounds = findDataFlow(flow.trace, flow.trace.launches[0], flow.analysis.launches[0]);
  return flow;
}
Flow flowOf(const char* variant) { return flowOf(ladderTrace(variant, kThreads, model::ElementType::Int)); }

std::vector<unsigned> liveAfter(const RoundFlow& round) {
  std::vector<unsigned> live;
  for (unsigned element = 0; element < round.liveAfter.at(0).size(); ++element)
    if (round.liveAfter[0][element]) live.push_back(element);
  return live;
}
std::vector<unsigned> upTo(unsigned count, unsigned step = 1) {
  std::vector<unsigned> numbers;
  for (unsigned i = 0; i < count; i += step) numbers.push_back(i);
  return numbers;
}
std::uint64_t rampSum(std::uint64_t from, std::uint64_t count) {
  return count * from + count * (count - 1) / 2;
}
// The sum of every `step`-th element of a ramp from `from` below `end`.
std::uint64_t rampSum(std::uint64_t from, std::uint64_t end, std::uint64_t step) {
  std::uint64_t sum = 0;
  for (std::uint64_t i = from; i < end; i += step) sum += i;
  return sum;
}

void expectOperand(const std::optional<Operand>& operand, bool shared, unsigned element,
                   std::uint64_t value) {
  ASSERT_TRUE(operand);
  EXPECT_EQ(operand->shared, shared);
  EXPECT_EQ(operand->array, 0u);
  EXPECT_EQ(operand->element, element);
  EXPECT_EQ(operand->bits, value);
}

void expectWrite(const RoundFlow& round, std::uint64_t sum) {
  ASSERT_EQ(round.work.size(), 1u);
  const ThreadWork& work = round.work[0];
  EXPECT_EQ(work.thread, 0u);
  EXPECT_TRUE(work.useful);
  expectOperand(work.a, true, 0, sum);
  EXPECT_FALSE(work.b);
  ASSERT_TRUE(work.result);
  EXPECT_FALSE(work.result->shared);
  EXPECT_EQ(work.result->array, 1u) << "out, after in";
  EXPECT_EQ(work.result->element, 0u);
  EXPECT_EQ(work.result->bits, sum);
  EXPECT_EQ(liveAfter(round), std::vector<unsigned>());
}

void expectCopyingLoad(const RoundFlow& round) {
  ASSERT_EQ(round.work.size(), kThreads);
  for (unsigned t = 0; t < kThreads; ++t) {
    const ThreadWork& work = round.work[t];
    EXPECT_EQ(work.thread, t);
    EXPECT_TRUE(work.useful);
    expectOperand(work.a, false, t, t);
    EXPECT_FALSE(work.b);
    expectOperand(work.result, true, t, t);
  }
  EXPECT_EQ(liveAfter(round), upTo(kThreads));
}

class Interleaved : public testing::TestWithParam<const char*> {};

// After stride s what is live are the multiples of 2s, each the sum of its 2s elements.
TEST_P(Interleaved, PairsAtDistanceSLeaveMultiplesOf2s) {
  const bool contiguous = std::string(GetParam()) == "interleaved_contiguous";
  const Flow flow = flowOf(GetParam());
  ASSERT_EQ(flow.rounds.size(), 10u);
  expectCopyingLoad(flow.rounds[0]);
  for (unsigned round = 1, s = 1; s < kThreads; s *= 2, ++round) {
    const auto& work = flow.rounds[round].work;
    ASSERT_EQ(work.size(), kThreads / (2 * s)) << s;
    for (unsigned i = 0; i < work.size(); ++i) {
      const unsigned target = 2 * s * i;
      EXPECT_EQ(work[i].thread, contiguous ? i : target) << s;
      EXPECT_TRUE(work[i].useful);
      expectOperand(work[i].a, true, target, rampSum(target, s));
      expectOperand(work[i].b, true, target + s, rampSum(target + s, s));
      expectOperand(work[i].result, true, target, rampSum(target, 2 * s));
      EXPECT_FALSE(work[i].a->inRegister);
    }
    EXPECT_EQ(liveAfter(flow.rounds[round]), upTo(kThreads, 2 * s)) << s;
  }
  expectWrite(flow.rounds[9], 32640);
}

INSTANTIATE_TEST_SUITE_P(Both, Interleaved, testing::Values("interleaved_modulo", "interleaved_contiguous"),
                         [](const auto& param) { return std::string(param.param); });

// Strides from half the block down: after stride s the first s are live, element t the sum of every s-th from
// t on.
void expectHalvingStride(const RoundFlow& round, unsigned s, unsigned elements) {
  ASSERT_EQ(round.work.size(), s);
  for (unsigned t = 0; t < s; ++t) {
    EXPECT_EQ(round.work[t].thread, t);
    EXPECT_TRUE(round.work[t].useful);
    expectOperand(round.work[t].a, true, t, rampSum(t, elements, 2 * s));
    expectOperand(round.work[t].b, true, t + s, rampSum(t + s, elements, 2 * s));
    expectOperand(round.work[t].result, true, t, rampSum(t, elements, s));
  }
  EXPECT_EQ(liveAfter(round), upTo(s));
}

TEST(Sequential, LeavesTheFirstSAfterStrideS) {
  const Flow flow = flowOf("sequential");
  ASSERT_EQ(flow.rounds.size(), 10u);
  expectCopyingLoad(flow.rounds[0]);
  for (unsigned round = 1, s = kThreads / 2; s > 0; s /= 2, ++round)
    expectHalvingStride(flow.rounds[round], s, kThreads);
  expectWrite(flow.rounds[9], 32640);
}

void expectAddingLoad(const RoundFlow& round) {
  ASSERT_EQ(round.work.size(), kThreads);
  for (unsigned t = 0; t < kThreads; ++t) {
    expectOperand(round.work[t].a, false, t, t);
    expectOperand(round.work[t].b, false, t + 256, t + 256);
    expectOperand(round.work[t].result, true, t, 2 * t + 256);
    EXPECT_TRUE(round.work[t].useful);
  }
  EXPECT_EQ(liveAfter(round), upTo(kThreads));
}

TEST(FirstAddOnLoad, TakesItsOperands256ApartFromTheInput) {
  const Flow flow = flowOf("first_add_on_load");
  ASSERT_EQ(flow.rounds.size(), 10u);
  expectAddingLoad(flow.rounds[0]);
  for (unsigned round = 1, s = kThreads / 2; s > 0; s /= 2, ++round)
    expectHalvingStride(flow.rounds[round], s, 2 * kThreads);
  expectWrite(flow.rounds[9], 130816);
}

// In the tail all 32 lanes add, but only the first s results are ever read.
TEST(UnrolledLastWarp, ItsTailWorksInVainInPart) {
  const Flow flow = flowOf("unrolled_last_warp");
  ASSERT_EQ(flow.rounds.size(), 10u);
  expectAddingLoad(flow.rounds[0]);
  expectHalvingStride(flow.rounds[1], 128, 2 * kThreads);
  expectHalvingStride(flow.rounds[2], 64, 2 * kThreads);
  for (unsigned round = 3, s = 32; s > 0; s /= 2, ++round) {
    const auto& work = flow.rounds[round].work;
    ASSERT_EQ(work.size(), 32u) << s;
    for (unsigned t = 0; t < 32; ++t) {
      EXPECT_EQ(work[t].thread, t);
      EXPECT_EQ(work[t].useful, t < s) << "stride " << s << ", thread " << t;
      ASSERT_TRUE(work[t].a && work[t].b && work[t].result);
      EXPECT_EQ(work[t].a->element, t);
      EXPECT_EQ(work[t].a->inRegister, s < 32) << "only the first step reads its own element";
      EXPECT_EQ(work[t].b->element, t + s);
      EXPECT_EQ(work[t].result->element, t);
      if (t >= s) continue;
      expectOperand(work[t].a, true, t, rampSum(t, 2 * kThreads, 2 * s));
      expectOperand(work[t].b, true, t + s, rampSum(t + s, 2 * kThreads, 2 * s));
      expectOperand(work[t].result, true, t, rampSum(t, 2 * kThreads, s));
    }
    EXPECT_EQ(liveAfter(flow.rounds[round]), upTo(s)) << s;
  }
  expectWrite(flow.rounds[9], 130816);
}

// Thread 0 overwrites what it stored before anybody read it.
TEST(DataFlow, WhatIsOverwrittenUnreadWasNoUse) {
  TraceBuilder builder(32);
  const auto data = builder.sharedArray("data", 4);
  const auto out = builder.buffer("out", 1);
  const auto first = builder.site({.kind = model::SiteKind::Store, .text = "data[0]"});
  const auto barrier = builder.site({.kind = model::SiteKind::BlockBarrier, .text = "__syncthreads()"});
  const auto second = builder.site({.kind = model::SiteKind::Store, .text = "data[1]"});
  const auto barrier2 = builder.site({.kind = model::SiteKind::BlockBarrier, .text = "__syncthreads() "});
  const auto load = builder.site({.kind = model::SiteKind::Load, .text = "data[2]"});
  const auto write = builder.site({.kind = model::SiteKind::Store, .text = "out[0]"});
  builder.store(0, first, data, 2, 5);
  builder.store(1, first, data, 3, 6);
  builder.blockBarrier(barrier);
  builder.store(0, second, data, 2, 7);
  builder.blockBarrier(barrier2);
  builder.store(0, write, out, 0, builder.load(0, load, data, 2));

  const Flow flow = flowOf(builder.build());
  ASSERT_EQ(flow.rounds.size(), 3u);
  EXPECT_EQ(liveAfter(flow.rounds[0]), std::vector<unsigned>());
  ASSERT_EQ(flow.rounds[0].work.size(), 2u);
  EXPECT_FALSE(flow.rounds[0].work[0].useful) << "overwritten";
  EXPECT_FALSE(flow.rounds[0].work[1].useful) << "never read";
  EXPECT_EQ(liveAfter(flow.rounds[1]), std::vector<unsigned>{2});
  EXPECT_TRUE(flow.rounds[1].work[0].useful);
}

// Thread 0 adds one to its own element twice: there is one operand, and it was read.
TEST(DataFlow, AThreadsOwnElementIsNoSecondOperand) {
  TraceBuilder builder(32);
  const auto data = builder.sharedArray("data", 4);
  const auto load = builder.site({.kind = model::SiteKind::Load, .text = "data[0]"});
  const auto store = builder.site({.kind = model::SiteKind::Store, .text = "data[1]"});
  const auto barrier = builder.site({.kind = model::SiteKind::BlockBarrier, .text = "__syncthreads()"});
  builder.poke(data, 2, 5);
  for (int round = 0; round < 2; ++round) {
    builder.store(0, store, data, 2, builder.load(0, load, data, 2) + 1);
    builder.blockBarrier(barrier);
  }
  const Flow flow = flowOf(builder.build());
  for (unsigned round = 0; round < 2; ++round) {
    ASSERT_EQ(flow.rounds[round].work.size(), 1u);
    expectOperand(flow.rounds[round].work[0].a, true, 2, 5 + round);
    EXPECT_FALSE(flow.rounds[round].work[0].a->inRegister);
    EXPECT_FALSE(flow.rounds[round].work[0].b);
  }
}

// Reading one element twice is one operand; a third element is left out.
TEST(DataFlow, OperandsAreTheFirstTwoDistinctElements) {
  TraceBuilder builder(32);
  const auto data = builder.sharedArray("data", 8);
  for (unsigned i = 0; i < 8; ++i) builder.poke(data, i, 10 + i);
  const auto load = builder.site({.kind = model::SiteKind::Load, .text = "data[0]"});
  const auto store = builder.site({.kind = model::SiteKind::Store, .text = "data[1]"});
  for (const unsigned element : {3u, 3u, 5u, 6u}) builder.load(4, load, data, element);
  builder.store(4, store, data, 7, 1);
  builder.load(9, load, data, 2);

  const Flow flow = flowOf(builder.build());
  ASSERT_EQ(flow.rounds.size(), 1u);
  ASSERT_EQ(flow.rounds[0].work.size(), 2u);
  expectOperand(flow.rounds[0].work[0].a, true, 3, 13);
  expectOperand(flow.rounds[0].work[0].b, true, 5, 15);
  expectOperand(flow.rounds[0].work[0].result, true, 7, 1);
  EXPECT_EQ(flow.rounds[0].work[1].thread, 9u);
  EXPECT_FALSE(flow.rounds[0].work[1].result);
  EXPECT_FALSE(flow.rounds[0].work[1].useful);
}

// Threads 0 to 2 gather what lies 32 apart: nothing is combined, though each has written its element before.
TEST(DataFlow, WhatIsGatheredIsCopied) {
  TraceBuilder builder(96);
  const auto data = builder.sharedArray("data", 96);
  const auto fill = builder.site({.kind = model::SiteKind::Store, .text = "data[tid] = tid"});
  const auto barrier = builder.site({.kind = model::SiteKind::BlockBarrier, .text = "__syncthreads()"});
  const auto load = builder.site({.kind = model::SiteKind::Load, .text = "data[32 * tid]"});
  const auto store = builder.site({.kind = model::SiteKind::Store, .text = "data[tid]"});
  for (unsigned t = 0; t < 96; ++t) builder.store(t, fill, data, t, t);
  builder.blockBarrier(barrier);
  for (unsigned t = 0; t < 3; ++t) builder.store(t, store, data, t, builder.load(t, load, data, 32 * t));
  const Flow flow = flowOf(builder.build());
  ASSERT_EQ(flow.rounds.at(1).work.size(), 3u);
  for (unsigned t = 0; t < 3; ++t) {
    const ThreadWork& work = flow.rounds[1].work[t];
    expectOperand(work.a, true, 32 * t, 32 * t);
    EXPECT_FALSE(work.a->inRegister) << t;
    EXPECT_FALSE(work.b) << t;
  }
}

// As a merge begins: two threads read their list's bounds and copy its head, the third one's list is empty.
TEST(DataFlow, BoundsAreNoOperandsOfACopy) {
  TraceBuilder builder(3);
  const auto starts = builder.buffer("starts", 4), values = builder.buffer("values", 4);
  const auto heads = builder.sharedArray("heads", 4);
  const unsigned bounds[] = {0, 2, 4, 4};
  for (unsigned i = 0; i < 4; ++i) {
    builder.poke(starts, i, bounds[i]);
    builder.poke(values, i, 20 + i);
  }
  const auto from = builder.site({.kind = model::SiteKind::Load, .text = "starts[tid]"});
  const auto to = builder.site({.kind = model::SiteKind::Load, .text = "starts[tid + 1]"});
  const auto value = builder.site({.kind = model::SiteKind::Load, .text = "values[next]"});
  const auto store = builder.site({.kind = model::SiteKind::Store, .text = "heads[tid]"});
  for (unsigned t = 0; t < 3; ++t) {
    const auto next = unsigned(builder.load(t, from, starts, t));
    const bool live = next < builder.load(t, to, starts, t + 1);
    builder.store(t, store, heads, t, live ? builder.load(t, value, values, next) : 99);
  }
  const Flow flow = flowOf(builder.build());
  ASSERT_EQ(flow.rounds.at(0).work.size(), 3u);
  for (unsigned t = 0; t < 3; ++t) {
    const ThreadWork& work = flow.rounds[0].work[t];
    EXPECT_FALSE(work.b) << t;
    expectOperand(work.result, true, t, t < 2 ? 20 + 2 * t : 99);
    if (t < 2) {
      ASSERT_TRUE(work.a);
      EXPECT_FALSE(work.a->shared);
      EXPECT_EQ(work.a->array, 1u) << "values";
      EXPECT_EQ(work.a->element, 2 * t);
      EXPECT_EQ(work.a->bits, 20 + 2 * t);
    } else {
      EXPECT_FALSE(work.a);
    }
  }
}

}  // namespace
}  // namespace stridescope::analysis
