// Figures of two runs beside each other, held against the table of 256 threads that is worked out from the
// rules by hand, and against rounds that are made by hand.
#include "analysis/run_differences.h"

#include <gtest/gtest.h>

#include "support/ladder_trace.h"

namespace stridescope::analysis {
namespace {

using support::ladderTrace;

struct OneRun {
  explicit OneRun(model::Trace ofRun)
      : trace(std::move(ofRun)),
        analysis(analyse(trace)),
        flow(findDataFlow(trace, trace.launches[0], analysis.launches[0])) {}

  ComparedSide at(std::size_t round) const {
    const Round& shown = analysis.launches[0].rounds.at(round);
    return {.trace = &trace,
            .analysis = &analysis,
            .launch = 0,
            .shown = &shown,
            .flow = &flow.at(round),
            .round = round};
  }
  ComparedSide finished() const { return {.trace = &trace, .analysis = &analysis, .launch = 0}; }

  model::Trace trace;
  Analysis analysis;
  std::vector<RoundFlow> flow;
};

OneRun ladder(const char* variant, unsigned threads = 256,
              model::ElementType type = model::ElementType::Int) {
  return OneRun(ladderTrace(variant, threads, type));
}

const ComparedFigure* find(const std::vector<ComparedFigure>& figures, std::string_view name) {
  const auto found =
      std::ranges::find_if(figures, [&](const ComparedFigure& figure) { return figure.facts.name == name; });
  return found == figures.end() ? nullptr : &*found;
}

// "8 | 1 right 8", "16 | 16", "- | 3": values, the better side, the factor.
std::string told(const std::vector<ComparedFigure>& figures, std::string_view name) {
  const ComparedFigure* const figure = find(figures, name);
  if (figure == nullptr) return "none";
  const auto number = [](double value) {
    std::string text = std::to_string(value);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.')) text.pop_back();
    return text;
  };
  const auto value = [&](const std::optional<double>& each) { return each ? number(*each) : "-"; };
  std::string text = value(figure->value.left) + " | " + value(figure->value.right);
  if (const auto better = figure->better()) text += " " + std::string(nameOf(*better));
  if (const auto factor = figure->factor()) text += " " + number(*factor);
  return text;
}

TEST(RunDifferences, OfARoundOfContiguousAndSequential) {
  const OneRun contiguous = ladder("interleaved_contiguous"), sequential = ladder("sequential");
  const auto figures = compareRuns(contiguous.at(4), sequential.at(4));
  EXPECT_EQ(told(figures, "highest_way"), "8 | 1 right 8");
  EXPECT_EQ(told(figures, "wavefronts"), "24 | 3 right 8");
  EXPECT_EQ(told(figures, "bank_conflicts"), "21 | 0 right") << "no factor of nothing";
  EXPECT_EQ(told(figures, "shared_requests"), "3 | 3");
  EXPECT_EQ(told(figures, "active_threads"), "16 | 16");
  EXPECT_EQ(told(figures, "working_warps"), "1 | 1");
  EXPECT_EQ(told(figures, "partial_warps"), "1 | 1");
}

// Over all strides: 141 and 36 wavefronts; with the first stores and the last load 150 and 45.
TEST(RunDifferences, OverAllRounds) {
  const OneRun modulo = ladder("interleaved_modulo"), contiguous = ladder("interleaved_contiguous"),
               sequential = ladder("sequential");
  const auto figures = compareRuns(contiguous.at(4), sequential.at(4));
  EXPECT_EQ(told(figures, "wavefronts_in_strides"), "141 | 36 right 3.916667");
  EXPECT_EQ(told(figures, "all_wavefronts"), "150 | 45 right 3.333333");
  EXPECT_EQ(told(figures, "all_bank_conflicts"), "105 | 0 right");
  EXPECT_EQ(told(figures, "rounds"), "10 | 10");
  EXPECT_EQ(told(figures, "block_barriers"), "9 | 9");
  EXPECT_EQ(told(figures, "wavefronts_per_element"), "none") << "as many elements";
  // Warps at work: 4 2 1 1 1 1 1 1 in the strides, 8 that load, one that writes; the modulo one 47 in the
  // strides.
  const auto slower = compareRuns(modulo.at(4), contiguous.at(4));
  EXPECT_EQ(told(slower, "wavefronts_in_strides"), "141 | 141");
  EXPECT_EQ(told(slower, "warp_rounds"), "56 | 21 right 2.666667");
  EXPECT_EQ(told(slower, "partial_warp_rounds"), "48 | 6 right 8");
  EXPECT_EQ(told(slower, "working_warps"), "8 | 1 right 8") << "for as many threads";
}

TEST(RunDifferences, OtherThreadsDoOtherWork) {
  const OneRun contiguous = ladder("interleaved_contiguous"), sequential = ladder("sequential");
  const auto figures = compareRuns(contiguous.at(1), sequential.at(2));  // 128 and 64 threads
  EXPECT_EQ(told(figures, "active_threads"), "128 | 64 2");
  EXPECT_EQ(told(figures, "working_warps"), "4 | 2 2");
  EXPECT_EQ(told(figures, "wavefronts"), "24 | 6 4");
  EXPECT_EQ(told(figures, "highest_way"), "2 | 1 right 2") << "that of a request is fair in any case";
}

// 64 threads: 2 first stores, 6 strides of one warp with 3 requests, the last load.
TEST(RunDifferences, BlocksOfOtherSizes) {
  const OneRun small = ladder("sequential", 64), large = ladder("sequential", 256);
  const auto figures = compareRuns(small.at(0), large.at(0));
  EXPECT_EQ(told(figures, "block_elements"), "64 | 256 4");
  EXPECT_EQ(told(figures, "all_wavefronts"), "21 | 45 2.142857") << "neither is better";
  EXPECT_EQ(told(figures, "wavefronts_per_element"), "0.328125 | 0.175781 right 1.866667");
}

TEST(RunDifferences, ASideThatHasNoSuchRound) {
  const OneRun small = ladder("sequential", 64), large = ladder("sequential", 256);
  const auto figures = compareRuns(small.finished(), large.at(9));
  EXPECT_EQ(told(figures, "active_threads"), "- | 1");
  EXPECT_EQ(told(figures, "wavefronts"), "- | 1");
  EXPECT_EQ(told(figures, "all_wavefronts"), "21 | 45 2.142857");
}

TEST(RunDifferences, ARunBesideItselfIsTheSame) {
  const OneRun run = ladder("unrolled_last_warp");
  for (const ComparedFigure& figure : compareRuns(run.at(3), run.at(3))) {
    EXPECT_FALSE(figure.differs()) << figure.facts.name;
    EXPECT_FALSE(figure.better()) << figure.facts.name;
    EXPECT_FALSE(figure.factor()) << figure.facts.name;
  }
}

// ---- What was measured.

const FigureOrigin kH100{OriginKind::Recorded, "NVIDIA H100"}, kH200{OriginKind::Measured, "NVIDIA H200"};

LaunchCycles cyclesOf(std::uint64_t round, std::uint64_t block) {
  LaunchCycles cycles;
  cycles.alone.rounds.assign(10, Cycles{.median = round, .low = round, .high = round});
  cycles.alone.block = {.median = block, .low = block, .high = block};
  return cycles;
}

TEST(RunDifferences, CyclesCountersAndTimes) {
  const OneRun contiguous = ladder("interleaved_contiguous"), sequential = ladder("sequential");
  const LaunchCycles slow = cyclesOf(322, 2400), quick = cyclesOf(157, 1600);
  const model::LaunchCounters left{
      .grid = 1,
      .block = 256,
      .values = {{model::Counter::Instructions, 1064}, {model::Counter::AchievedOccupancy, 12}}};
  const model::LaunchCounters right{.grid = 1,
                                    .block = 256,
                                    .values = {{model::Counter::Instructions, 816},
                                               {model::Counter::AchievedOccupancy, 10},
                                               {model::Counter::L2HitRate, 50}}};
  ComparedSide a = contiguous.at(4), b = sequential.at(4);
  EXPECT_EQ(told(compareRuns(a, b), "time"), "none");
  a.cycles = &slow, a.cyclesFrom = a.countersFrom = a.timeFrom = kH100;
  b.cycles = &quick, b.cyclesFrom = b.countersFrom = b.timeFrom = kH100;
  a.counters = &left, b.counters = &right;
  a.microseconds = 108.7, b.microseconds = 85.5;
  auto figures = compareRuns(a, b);
  EXPECT_EQ(told(figures, "round_cycles"), "322 | 157 right 2.050955");
  EXPECT_EQ(told(figures, "block_cycles"), "2400 | 1600 right 1.5");
  EXPECT_EQ(told(figures, "round_cycles_in_grid"), "none");
  EXPECT_EQ(told(figures, "instructions"), "1064 | 816 right 1.303922");
  EXPECT_EQ(told(figures, "achieved_occupancy"), "12 | 10") << "more or less is not better by itself";
  EXPECT_EQ(told(figures, "l2_hit_rate"), "- | 50");
  EXPECT_EQ(told(figures, "time"), "108.7 | 85.5 right 1.271345");

  b.microseconds = 108.3;
  EXPECT_EQ(told(compareRuns(a, b), "time"), "108.7 | 108.3") << "as good as equal";
  a.round.reset();  // a pass of a round is shown
  EXPECT_EQ(told(compareRuns(a, b), "round_cycles"), "- | 157");
}

TEST(RunDifferences, OfTheWholeReduction) {
  const OneRun contiguous = ladder("interleaved_contiguous"), sequential = ladder("sequential");
  model::CostRecord slow, quick;
  slow.microseconds = 9, slow.emptyMicroseconds = 4;
  quick.microseconds = 6, quick.emptyMicroseconds = 4;
  ComparedSide a = contiguous.at(4), b = sequential.at(4);
  a.cost = &slow, b.cost = &quick;
  EXPECT_EQ(told(compareRuns(a, b), "reduction_time"), "9 | 6 right 1.5");
  EXPECT_EQ(told(compareRuns(a, b), "empty_grid_time"), "4 | 4");
  const StepPrices prices;
  a.prices = b.prices = &prices;
  EXPECT_EQ(told(compareRuns(a, b), "empty_grid_time"), "none") << "the prices say so";
  a.prices = b.prices = nullptr;
  a.microseconds = 8, b.microseconds = 7;
  a.timedElements = b.timedElements = a.trace->experiment.elements;
  EXPECT_EQ(told(compareRuns(a, b), "reduction_time"), "none") << "the time says so";
  a.timedElements = b.timedElements = 1 << 24;
  EXPECT_EQ(told(compareRuns(a, b), "reduction_time"), "9 | 6 right 1.5") << "the time is another size's";
  b.cost = nullptr;
  EXPECT_EQ(told(compareRuns(a, b), "reduction_time"), "9 | -");
  EXPECT_EQ(told(compareRuns(a, b), "empty_grid_time"), "none");
}

TEST(RunDifferences, WhereOneSideHasNothingOneFigureSaysSo) {
  const OneRun run = ladder("sequential");
  const LaunchCycles cycles = cyclesOf(157, 1600);
  const model::LaunchCounters counters{
      .grid = 1,
      .block = 256,
      .values = {{model::Counter::Instructions, 816}, {model::Counter::Branches, 72}}};
  ComparedSide a = run.at(4);
  a.cycles = &cycles, a.counters = &counters;
  const auto figures = compareRuns(a, run.at(4));
  EXPECT_EQ(told(figures, "block_cycles"), "1600 | -");
  EXPECT_EQ(told(figures, "round_cycles"), "none");
  EXPECT_EQ(told(figures, "instructions"), "816 | -");
  EXPECT_EQ(told(figures, "branches"), "none");
}

TEST(RunDifferences, WhatIsWrongIsNotBetter) {
  const OneRun contiguous = ladder("interleaved_contiguous");
  OneRun sequential = ladder("sequential");
  sequential.analysis.launches[0].races.emplace_back();
  auto figures = compareRuns(contiguous.at(4), sequential.at(4));
  EXPECT_EQ(told(figures, "wavefronts"), "24 | 3 8") << "with a race";
  EXPECT_EQ(told(figures, "races"), "0 | 1 left");
  sequential.analysis.launches[0].races.clear();
  sequential.trace.result = "1", sequential.trace.expected = "2", sequential.trace.ok = false;
  figures = compareRuns(contiguous.at(4), sequential.at(4));
  EXPECT_EQ(told(figures, "all_bank_conflicts"), "105 | 0") << "with another result";
  EXPECT_EQ(told(figures, "races"), "none");
}

TEST(RunDifferences, RoundsThatMixStridesWithMoreHaveNoSumOfStrides) {
  const OneRun contiguous = ladder("interleaved_contiguous");
  OneRun sequential = ladder("sequential");
  sequential.analysis.launches[0].rounds[3].kind = RoundKind::Mixed;
  EXPECT_EQ(told(compareRuns(contiguous.at(4), sequential.at(4)), "wavefronts_in_strides"), "none");
}

TEST(RunDifferences, AFactorNeedsOneOrigin) {
  const OneRun contiguous = ladder("interleaved_contiguous"), sequential = ladder("sequential");
  ComparedSide a = contiguous.at(4), b = sequential.at(4);
  a.microseconds = 108.7, b.microseconds = 85.5;
  a.timeFrom = kH100, b.timeFrom = kH200;
  EXPECT_EQ(told(compareRuns(a, b), "time"), "108.7 | 85.5") << "two GPUs";
  b.timeFrom = {OriginKind::Measured, "NVIDIA H100"};
  EXPECT_EQ(told(compareRuns(a, b), "time"), "108.7 | 85.5") << "measured, and recorded";
  b.microseconds.reset();
  EXPECT_EQ(told(compareRuns(a, b), "time"), "108.7 | -");
}

// One GPU against another's recording: the GPU is all that differs.
TEST(RunDifferences, TwoGpusAreComparedByOneExperiment) {
  const OneRun run = ladder("sequential");
  ComparedSide a = run.at(4), b = run.at(4);
  a.microseconds = 86.4, b.microseconds = 43.2;
  a.timeFrom = kH100, b.timeFrom = kH200;
  EXPECT_EQ(told(compareRuns(a, b), "time"), "86.4 | 43.2 right 2");
}

TEST(RunDifferences, EveryFigureHasANameOfItsOwn) {
  const OneRun run = ladder("sequential");
  std::vector<std::string_view> names;
  for (const ComparedFigure& figure : compareRuns(run.at(4), run.at(4))) names.push_back(figure.facts.name);
  std::ranges::sort(names);
  EXPECT_EQ(std::ranges::adjacent_find(names), names.end());
}

}  // namespace
}  // namespace stridescope::analysis
