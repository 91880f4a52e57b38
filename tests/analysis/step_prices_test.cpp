// To which round each step of a reduction belongs that was ended early.
#include <gmock/gmock.h>

#include "analysis/round_cycles.h"
#include "support/kind_traces.h"
#include "support/ladder_trace.h"

namespace stridescope::analysis {
namespace {

// One of `marks` marks in the first launch, whose step i takes i us.
model::PeelRecord peelOf(unsigned marks, unsigned launches = 1) {
  model::PeelRecord record;
  record.runs = 61;
  for (unsigned i = 0; i <= marks; ++i)
    record.steps.push_back({.marks = i, .microseconds = double(i), .low = i - 0.25, .high = i + 0.25});
  for (unsigned i = 0; i < launches; ++i)
    record.steps.push_back(
        {.launch = i, .marks = clocking::kAllMarks, .microseconds = 20, .low = 19.75, .high = 20.25});
  for (const model::PeelStep& step : record.steps) record.wholeMicroseconds += step.microseconds;
  return record;
}

std::vector<PricedStep> pricesOf(const model::Trace& trace, const model::PeelRecord& record,
                                 bool blocksDiffer = false) {
  return pricedSteps(record, analyse(trace).launches.front(), blocksDiffer);
}

TEST(StepPrices, AreThoseOfTheRoundsThatBarriersEnd) {
  const model::Trace trace = support::ladderTrace("sequential", 64, model::ElementType::Int);
  // The load's barrier and one behind each of the six strides.
  const auto steps = pricesOf(trace, peelOf(7, 2));
  ASSERT_EQ(steps.size(), 10u);
  EXPECT_EQ(steps[0].kind, PricedKind::Empty);
  EXPECT_EQ(steps[0].round, std::nullopt);
  EXPECT_EQ(steps[1].kind, PricedKind::Load);
  for (unsigned i = 0; i < 6; ++i) {
    EXPECT_EQ(steps[2 + i].kind, PricedKind::Stride);
    EXPECT_EQ(steps[2 + i].stride, 32u >> i);
    EXPECT_EQ(steps[2 + i].round, 1 + i);
    EXPECT_EQ(steps[2 + i].microseconds, 2 + i);
  }
  EXPECT_EQ(steps[8].kind, PricedKind::Write);
  EXPECT_EQ(steps[8].microseconds, 20);
  EXPECT_EQ(steps[9].kind, PricedKind::Launch);
  EXPECT_EQ(steps[9].launch, 1u);
  double sum = 0;
  for (const PricedStep& step : steps) sum += step.microseconds;
  EXPECT_DOUBLE_EQ(sum, peelOf(7, 2).wholeMicroseconds);
}

TEST(StepPrices, HaveNoNamesWhereTheRunWentAnotherWay) {
  const model::Trace trace = support::ladderTrace("sequential", 64, model::ElementType::Int);
  EXPECT_THAT(pricesOf(trace, peelOf(6)), testing::IsEmpty());
  EXPECT_THAT(pricesOf(trace, peelOf(8)), testing::IsEmpty());
}

TEST(StepPrices, EndInOneStepWhereOnlyTheRunsBlockFinishesLast) {
  const model::Trace trace = support::ladderTrace("sequential", 64, model::ElementType::Int);
  const auto steps = pricesOf(trace, peelOf(4), true);
  // Empty, the load, strides 32, 16 and 8, and the rest.
  ASSERT_EQ(steps.size(), 6u);
  EXPECT_EQ(steps[4].stride, 8u);
  EXPECT_EQ(steps[5].kind, PricedKind::Combine);
  EXPECT_EQ(steps[5].round, 4u);
  EXPECT_EQ(steps[5].microseconds, 20);
  EXPECT_THAT(pricesOf(trace, peelOf(8), true), testing::IsEmpty()) << "the GPU's passes more";
}

TEST(StepPrices, HaveTheCopyFirstAndTheCpuLast) {
  const model::Trace trace = support::ladderTrace("sequential", 64, model::ElementType::Int);
  model::PeelRecord record = peelOf(7);
  record.steps.insert(record.steps.begin(), {.part = model::PeeledPart::Copy, .microseconds = 3});
  record.steps.push_back({.part = model::PeeledPart::Cpu, .microseconds = 4});
  const auto steps = pricesOf(trace, record);
  ASSERT_EQ(steps.size(), 11u);
  EXPECT_EQ(steps[0].kind, PricedKind::Copy);
  EXPECT_EQ(steps[1].kind, PricedKind::Empty);
  EXPECT_EQ(steps[2].kind, PricedKind::Load);
  EXPECT_EQ(steps[10].kind, PricedKind::Cpu);
  EXPECT_EQ(steps[10].round, std::nullopt);
}

TEST(StepPrices, CostMostWhereNoOtherIntervalReaches) {
  const auto step = [](std::uint64_t stride, double time, double spread) {
    return PricedStep{.kind = PricedKind::Stride,
                      .stride = stride,
                      .microseconds = time,
                      .low = time - spread,
                      .high = time + spread};
  };
  PricedStep empty = step(0, 50, 1);
  empty.kind = PricedKind::Empty;
  std::vector<PricedStep> steps{empty, step(4, 10, 0.2), step(2, 12, 0.2), step(1, 11.9, 0.2)};
  const auto most = costliestSteps(steps);
  ASSERT_EQ(most.size(), 2u) << "the grid that does nothing is no step of the reduction";
  EXPECT_EQ(most[0].stride, 2u);
  EXPECT_EQ(most[1].stride, 1u);
  EXPECT_THAT(costliestSteps(std::vector{empty, step(4, 0.1, 0.2)}), testing::IsEmpty());
}

TEST(StepPrices, OfShufflesAreThoseOfTheRoundsThatTheyOpen) {
  const model::Trace trace = support::shuffleTrace(64);
  const Analysis analysis = analyse(trace);
  const auto& rounds = analysis.launches.front().rounds;
  unsigned marks = 0;
  for (const Round& round : rounds)
    for (const WarpOperation& operation : round.operations)
      marks += operation.warp == 0 && (operation.kind == model::EventKind::Shuffle ||
                                       operation.kind == model::EventKind::BlockBarrier);
  const auto steps = pricesOf(trace, peelOf(marks));
  ASSERT_FALSE(steps.empty());
  // Each round of the first warp once, in order, and nothing lost.
  double sum = 0;
  std::optional<unsigned> before;
  for (const PricedStep& step : steps) {
    sum += step.microseconds;
    if (!step.round) continue;
    if (before) {
      EXPECT_GT(*step.round, *before);
    }
    EXPECT_LT(*step.round, rounds.size());
    if (step.kind == PricedKind::Stride) {
      EXPECT_EQ(step.stride, rounds[*step.round].stride);
    }
    before = step.round;
  }
  EXPECT_DOUBLE_EQ(sum, peelOf(marks).wholeMicroseconds);
}

}  // namespace
}  // namespace stridescope::analysis
