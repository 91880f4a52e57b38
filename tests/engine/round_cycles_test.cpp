// Cycles a round from marks of a stand-in clock on the CPU executor's runs.
#include "analysis/round_cycles.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "engine/host/host_engine.h"
#include "kernels/catalog.h"
#include "support/stand_in_clock.h"

namespace stridescope::engine {
namespace {

model::Trace traceOf(const std::string& variant, unsigned threads, std::uint64_t n) {
  const auto engine = host::makeHostEngine();
  JobControl job;
  auto trace = engine->record({.variant = variant, .threads = threads, .elements = n}, job);
  EXPECT_TRUE(trace) << trace.error().sentence;
  return trace ? std::move(*trace) : model::Trace();
}

// The i-th mark is made at 7 i^2 cycles, so that no two stretches are alike.
constexpr std::uint64_t timeOf(std::size_t mark) { return 7 * mark * mark; }

model::WarpMarks marksOf(const model::LaunchTrace& launch, unsigned warp) {
  return support::standInMarks(launch, warp, timeOf);
}

std::vector<std::optional<analysis::WarpRound>> roundsOf(const model::Trace& trace, unsigned warp,
                                                         const model::WarpMarks& marks) {
  const analysis::Analysis analysis = analysis::analyse(trace);
  return analysis::roundsOfWarp(analysis.launches[0], warp, marks);
}

TEST(RoundCycles, LastFromBarrierToBarrier) {
  const model::Trace trace = traceOf("sequential", 64, 64);
  const auto rounds = roundsOf(trace, 0, marksOf(trace.launches[0], 0));
  ASSERT_EQ(rounds.size(), 8u) << "load, 32, 16, 8, 4, 2, 1, write";
  for (std::size_t r = 0; r < 7; ++r) {
    ASSERT_TRUE(rounds[r]) << r;
    EXPECT_EQ(rounds[r]->begin, timeOf(2 * r)) << r;
    EXPECT_EQ(rounds[r]->arrive, timeOf(2 * r + 1)) << r;
    EXPECT_EQ(rounds[r]->end, timeOf(2 * r + 2)) << r;
  }
  ASSERT_TRUE(rounds[7]);
  EXPECT_EQ(*rounds[7], (analysis::WarpRound{timeOf(14), timeOf(15), timeOf(15)})) << "to the end";
}

TEST(RoundCycles, OfAShuffleEndWhereTheNextBegins) {
  const model::Trace trace = traceOf("warp_shuffle", 32, 256);
  const auto rounds = roundsOf(trace, 0, marksOf(trace.launches[0], 0));
  // Start, five shuffles, the barrier's two, five shuffles, End.
  ASSERT_GE(rounds.size(), 11u);
  for (std::size_t r = 0; r < 5; ++r) {
    ASSERT_TRUE(rounds[r]) << r;
    EXPECT_EQ(rounds[r]->begin, timeOf(r)) << r;
    EXPECT_EQ(rounds[r]->end, timeOf(r + 1)) << r << " before the next shuffle";
  }
  ASSERT_TRUE(rounds[5]);
  EXPECT_EQ(*rounds[5], (analysis::WarpRound{timeOf(5), timeOf(6), timeOf(7)})) << "up to the barrier";
}

// For every variant and size, the rounds of a warp follow one another without a gap from its first mark to
// its last.
TEST(RoundCycles, OfAWarpAddUpToItsTime) {
  for (const kernels::Variant& variant : kernels::catalog()) {
    if (variant.isWrong() || variant.merges()) continue;
    for (const unsigned threads : variant.threads) {
      SCOPED_TRACE(std::string(variant.id) + " " + std::to_string(threads));
      model::Experiment experiment{
          .variant = std::string(variant.id), .threads = threads, .elements = threads};
      if (std::ranges::find(variant.types, model::ElementType::Int) == variant.types.end())
        experiment.type = variant.types.front();
      if (std::ranges::find(variant.operators, model::Operator::Add) == variant.operators.end())
        experiment.op = variant.operators.front();
      const auto engine = host::makeHostEngine();
      JobControl job;
      const auto trace = engine->record(experiment, job);
      ASSERT_TRUE(trace) << trace.error().sentence;
      const analysis::Analysis analysis = analysis::analyse(*trace);
      for (unsigned warp = 0; warp * model::kWarpSize < trace->launches[0].block; ++warp) {
        const model::WarpMarks marks = marksOf(trace->launches[0], warp);
        std::uint64_t at = marks.front().clock;
        for (const auto& round : analysis::roundsOfWarp(analysis.launches[0], warp, marks)) {
          if (!round) continue;
          EXPECT_EQ(round->begin, at) << "warp " << warp;
          EXPECT_LE(round->begin, round->arrive);
          EXPECT_LE(round->arrive, round->end);
          at = round->end;
        }
        EXPECT_EQ(at, marks.back().clock) << "warp " << warp;
      }
    }
  }
}

TEST(RoundCycles, AreTheRunsMediansAndQuartiles) {
  const model::Trace trace = traceOf("sequential", 64, 64);
  const analysis::Analysis analysis = analysis::analyse(trace);
  std::vector<model::WarpMarks> runs;
  for (const std::uint64_t extra : {40, 0, 30, 10, 20}) {
    model::WarpMarks marks = marksOf(trace.launches[0], 0);
    for (std::size_t i = 4; i < marks.size(); ++i) marks[i].clock += extra;  // stride 32 takes longer
    runs.push_back(std::move(marks));
  }
  const auto cycles = analysis::roundCycles(analysis.launches[0], runs);
  const std::uint64_t stride = timeOf(4) - timeOf(2);
  ASSERT_TRUE(cycles.rounds[1]);
  EXPECT_EQ(*cycles.rounds[1], (analysis::Cycles{stride + 20, stride + 10, stride + 30}));
  ASSERT_TRUE(cycles.rounds[2]);
  EXPECT_EQ(cycles.rounds[2]->high, cycles.rounds[2]->low) << "the others take as long each time";
  EXPECT_EQ(cycles.block.median, timeOf(15) + 20);
}

TEST(RoundCycles, OfMarksOfAnotherWayThroughTheKernelEndWhereTheyPart) {
  const model::Trace trace = traceOf("sequential", 64, 64);
  model::WarpMarks marks = marksOf(trace.launches[0], 0);
  marks[5].site += 1;  // stride 16's barrier is another one
  const auto rounds = roundsOf(trace, 0, marks);
  EXPECT_TRUE(rounds[1]);
  for (std::size_t r = 2; r < rounds.size(); ++r) EXPECT_FALSE(rounds[r]) << r;
  EXPECT_FALSE(roundsOf(trace, 0, {})[0]) << "without marks nothing is known";
}

// A warp that goes on behind the last operation that is known: its last round is not told.
TEST(RoundCycles, OfMarksThatGoOnAtTheEndLackTheLast) {
  const model::Trace trace = traceOf("sequential", 64, 64);
  model::WarpMarks marks = marksOf(trace.launches[0], 0);
  const model::Mark end = marks.back();
  marks.back() = {end.clock, 3, model::MarkKind::Leave};
  marks.push_back({end.clock + 900'000, 0, model::MarkKind::End});
  const auto rounds = roundsOf(trace, 0, marks);
  EXPECT_TRUE(rounds[6]);
  EXPECT_FALSE(rounds[7]);
}

// grid_stride clocked with 8 elements per thread; sequential's threads take one each whatever n is.
TEST(RoundCycles, OfALoadAreThoseOfAsManyElementsAThread) {
  const auto told = [](const std::string& variant, std::uint64_t clocked, std::uint64_t n) {
    const model::ClockRecord record =
        support::standInRecord(traceOf(variant, 64, clocked), model::ClockedGrid::Alone, 3, timeOf);
    const model::Trace trace = traceOf(variant, 64, n);
    return analysis::cyclesOf(trace, analysis::analyse(trace), {&record, 1}).front().alone;
  };
  EXPECT_TRUE(told("grid_stride", 512, 512).at(0));
  EXPECT_FALSE(told("grid_stride", 512, 100).at(0));
  EXPECT_TRUE(told("grid_stride", 512, 100).at(1)) << "a stride is the same";
  EXPECT_TRUE(told("sequential", 64, 4096).at(0));
}

// Each warp has its own way through the median run; a load of other threads' elements is left out of it, too.
TEST(RoundCycles, OfAllWarpsAreKept) {
  const model::Trace trace = traceOf("grid_stride", 64, 512);
  model::ClockRecord record = support::standInRecord(trace, model::ClockedGrid::Full, 3, timeOf);
  record.elements = 512;
  record.grid = 1;
  for (model::Mark& mark : record.warps[1]) mark.clock += 5;
  const auto cycles = analysis::cyclesOf(trace, analysis::analyse(trace), {&record, 1}).front();
  EXPECT_TRUE(cycles.alone.warps.empty());
  ASSERT_EQ(cycles.inGrid.warps.size(), 2u);
  for (std::size_t r = 0; r < cycles.inGrid.rounds.size(); ++r) {
    ASSERT_TRUE(cycles.inGrid.warps[0][r]) << r;
    if (const auto& other = cycles.inGrid.warps[1][r]) {
      EXPECT_EQ(other->begin, cycles.inGrid.warps[0][r]->begin + 5) << r;
    }
  }
  const model::Trace fewer = traceOf("grid_stride", 64, 100);
  const auto without = analysis::cyclesOf(fewer, analysis::analyse(fewer), {&record, 1}).front().inGrid;
  for (const analysis::WarpTimeline& warp : without.warps) {
    EXPECT_FALSE(warp[0]);
    EXPECT_TRUE(warp[1]);
  }
}

TEST(RoundCycles, AreOfOneGpu) {
  const model::Trace trace = traceOf("sequential", 64, 64);
  std::vector<model::ClockRecord> records;
  for (const char* device : {"A", "B", "A", "B"})
    records.push_back(support::standInRecord(trace, model::ClockedGrid::Alone, 1, timeOf)),
        records.back().executor.device = device;
  const auto kept = analysis::ofTheLastsGpu(records);
  ASSERT_EQ(kept.size(), 2u);
  for (const model::ClockRecord& record : kept) EXPECT_EQ(record.executor.device, "B");
  EXPECT_TRUE(analysis::ofTheLastsGpu({}).empty());
}

}  // namespace
}  // namespace stridescope::engine
