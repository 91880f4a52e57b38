// Two recordings of one launch, written by hand: two arrays, two threads, two block barriers.
#include <gtest/gtest.h>

#include "analysis/compare.h"
#include "recording/event.h"

namespace {

using namespace stridescope;
using analysis::compareBarrierCopies;
using recording::EventKind;

model::Event store(unsigned array, std::uint64_t offset) {
  return {recording::eventHead(offset, 0, EventKind::Store, recording::kSharedSpace + array, 2), 0};
}
model::Event barrier() { return {recording::eventHead(0, 1, EventKind::BlockBarrier, 0, 0), 0}; }

// Thread 0 stores a[0] before the first barrier and b[1] before the second; thread 1 stores nothing.
model::Trace trace() {
  model::Trace made;
  model::LaunchTrace& launch = made.launches.emplace_back();
  launch.block = 2;
  model::BlockTrace& block = launch.recorded();
  block.shared = {{.name = "a", .elementBytes = 4, .bytes = 8}, {.name = "b", .elementBytes = 4, .bytes = 8}};
  block.events = {store(0, 0), barrier(), store(1, 4), barrier(), barrier(), barrier()};
  block.first = {0, 4, 6};
  block.barrierCopies = {std::vector<std::uint8_t>(16, 1), std::vector<std::uint8_t>(16, 1)};
  return made;
}

model::BlockTrace& blockOf(model::Trace& made) { return made.launches.front().recorded(); }

TEST(BarrierCopies, EqualOnesAreEqualWhereSomethingWasStored) {
  const auto compared = compareBarrierCopies(trace(), trace());
  EXPECT_EQ(compared.difference, std::nullopt);
  EXPECT_EQ(compared.barriers, 2u);
  EXPECT_EQ(compared.bytes, 4u + 4 + 4);  // a[0] at both, b[1] at the second
}

TEST(BarrierCopies, WhatNobodyStoredMayDiffer) {
  model::Trace other = trace();
  blockOf(other).barrierCopies[0][4] = 9;   // a[1]
  blockOf(other).barrierCopies[0][12] = 9;  // b[1], stored only afterwards
  EXPECT_EQ(compareBarrierCopies(trace(), other).difference, std::nullopt);
}

TEST(BarrierCopies, ADifferenceNamesTheElementAndTheBarrier) {
  model::Trace other = trace();
  blockOf(other).barrierCopies[1][13] = 9;
  const auto compared = compareBarrierCopies(trace(), other);
  ASSERT_TRUE(compared.difference);
  EXPECT_EQ(*compared.difference, "In launch 0, b[1] differs at block barrier 1.");
}

TEST(BarrierCopies, ArraysAreFoundByNameWhereverTheyLie) {
  model::Trace other = trace();
  std::swap(blockOf(other).shared[0], blockOf(other).shared[1]);
  for (auto& copy : blockOf(other).barrierCopies) copy.assign(16, 1);
  blockOf(other).barrierCopies[1][5] = 9;  // b[1] lies first now
  EXPECT_EQ(*compareBarrierCopies(trace(), other).difference,
            "In launch 0, b[1] differs at block barrier 1.");
}

TEST(BarrierCopies, AnArrayThatOneDoesNotHaveIsLeftOut) {
  model::Trace other = trace();
  blockOf(other).shared[0].name = "c";
  const auto compared = compareBarrierCopies(trace(), other);
  EXPECT_EQ(compared.difference, std::nullopt);
  EXPECT_EQ(compared.bytes, 4u);
}

TEST(BarrierCopies, OtherCountsOfBarriersOrLaunchesDiffer) {
  model::Trace other = trace();
  blockOf(other).barrierCopies.pop_back();
  EXPECT_EQ(*compareBarrierCopies(trace(), other).difference,
            "In launch 0, one has 2 complete block barriers and the other 1.");
  other.launches.clear();
  EXPECT_EQ(*compareBarrierCopies(trace(), other).difference, "One has 1 launches and the other 0.");
}

}  // namespace
