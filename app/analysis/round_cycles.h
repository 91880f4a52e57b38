// What the rounds of a block cost in the SM's cycles, from marks of its clock (clocking/clock.h), and what
// the steps of a reduction cost of its time (below).
//
// A round of a warp lasts from where the one before it ended to its own end: to the mark behind the barrier
// that ends it, or to the mark before the shuffle that opens the next. The first begins at the warp's first
// mark, the last ends at its last, so that a warp's rounds add up to its time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "analysis/analysis.h"
#include "model/clock_record.h"
#include "model/timing_record.h"

namespace stridescope::analysis {

// Where a warp spends a round, in cycles of one clock: it works up to `arrive`, and waits at the barrier up
// to `end`. Rounds that no block barrier ends know no waiting: arrive is end.
struct WarpRound {
  std::uint64_t begin = 0, arrive = 0, end = 0;
  std::uint64_t cycles() const { return end - begin; }
  friend bool operator==(const WarpRound&, const WarpRound&) = default;
};

// An operation of a warp's first lane that leaves marks: a barrier, or a shuffle.
struct MarkedOperation {
  std::size_t round = 0;
  model::EventKind kind{};
  std::uint32_t site = 0;
  bool endsRound = false;  // it is the last that the warp does in the round
};
std::vector<MarkedOperation> markedOperations(const LaunchAnalysis& analysis, std::uint32_t warp);

// Over the runs of the first warp: the median and the quartiles, in cycles.
struct Cycles {
  std::uint64_t median = 0, low = 0, high = 0;
  friend bool operator==(const Cycles&, const Cycles&) = default;
};

// A warp's way through the launch: one entry per round. nullopt: the warp does nothing in it that a mark
// could tell.
using WarpTimeline = std::vector<std::optional<WarpRound>>;

// Marks of another kernel, or of a run that went another way, end it early.
WarpTimeline roundsOfWarp(const LaunchAnalysis& analysis, std::uint32_t warp, const model::WarpMarks& marks);

struct RoundCycles {
  std::vector<std::optional<Cycles>> rounds;  // one per round of the launch
  Cycles block;                               // from the first warp's first mark to its last
  std::vector<WarpTimeline> warps{};          // one run's: that whose block took the median of cycles

  // nullptr: nothing is known of the round.
  const Cycles* at(std::size_t round) const {
    return round < rounds.size() && rounds[round] ? &*rounds[round] : nullptr;
  }
};

// The rounds' cycles in one launch: for a block that ran alone, and for one in a full grid. Empty: not known.
struct LaunchCycles {
  RoundCycles alone, inGrid;
};

// Whether it tells of the trace's experiment and kernel.
bool tellsOf(const model::ClockRecord& record, const model::Trace& trace);

// What the records that tell of the trace's experiment and kernel say, one entry per launch: every block of a
// launch goes the same way through the kernel, and rounds in which it did not are not told; nor are those
// that load, where a thread of the launch takes another number of elements than one that was clocked. If
// several records have the same grid (ClockedGrid), the last one counts.
std::vector<LaunchCycles> cyclesOf(const model::Trace& trace, const Analysis& analysis,
                                   std::span<const model::ClockRecord> records);

// The cycles of the rounds that combine at one stride, by the number of threads that do.
std::map<unsigned, Cycles> cyclesByActiveThreads(const LaunchAnalysis& analysis, const RoundCycles& cycles);

// Those that were clocked on the GPU of the last: cycles of two are not shown beside each other.
std::vector<model::ClockRecord> ofTheLastsGpu(std::vector<model::ClockRecord> records);

// The cycles from the warp's first mark to its last, over the runs. nullopt: no run has two marks.
std::optional<Cycles> blockCycles(std::span<const model::WarpMarks> runs);

RoundCycles roundCycles(const LaunchAnalysis& analysis, std::span<const model::WarpMarks> runs);

// What each step of a reduction costs, from a kernel that was ended behind each of its marks
// (model/timing_record.h), and between which steps of two reductions the times differ. Pure.

// Where the median of measured times lies with some 95 % confidence, microseconds: median ± 1.57 x
// interquartile range / sqrt(samples) (McGill, Tukey, Larsen, Variations of Box Plots, The American
// Statistician 32, 1978).
struct MedianInterval {
  double low = 0, high = 0;
  friend bool operator==(const MedianInterval&, const MedianInterval&) = default;
};
MedianInterval medianInterval(double median, double lowerQuartile, double upperQuartile, std::size_t samples);
inline MedianInterval medianInterval(const model::CostRecord& cost) {
  return medianInterval(cost.microseconds, cost.lowerQuartile, cost.upperQuartile, cost.runs);
}
constexpr bool overlap(const MedianInterval& a, const MedianInterval& b) {
  return a.low <= b.high && b.low <= a.high;
}

// By how much the prices of one and the same step differ from one measurement to the next, microseconds: what
// differs by less is not told apart. No interval of a median has this in it. In the shipped recording (NVIDIA
// H200) the same grid that does nothing was priced for two variants 45 times, and differs by 1.76 at most.
inline constexpr double kBetweenMeasurements = 1.8;

enum class PricedKind : std::uint8_t {
  Copy,     // the copies that set totals back
  Empty,    // the grid without a round: its blocks start and end
  Load,     // a round that brings elements in
  Stride,   // a round that combines at one stride
  Combine,  // a round that does so without one, or several things
  Write,    // a round that brings results out
  Launch,   // a further launch as one
  Cpu,      // the copy of what the blocks left, and what the CPU makes of it
};
inline constexpr std::array kPricedKinds{PricedKind::Copy,   PricedKind::Empty,   PricedKind::Load,
                                         PricedKind::Stride, PricedKind::Combine, PricedKind::Write,
                                         PricedKind::Launch, PricedKind::Cpu};
std::string_view nameOf(PricedKind kind);  // "copy", "empty", ...: in JSON

struct PricedStep {
  PricedKind kind{};
  std::optional<std::uint64_t> stride{};  // a Stride's
  unsigned launch = 0;
  std::optional<unsigned> round{};  // the launch's; nullopt: no round of it
  bool withMore = false;            // a Load with what combines behind it, which no mark tells apart from it
  double microseconds = 0;          // negative within the spread
  double low = 0, high = 0;         // with 95 % confidence
  friend bool operator==(const PricedStep&, const PricedStep&) = default;
};

struct StepPrices {
  model::PeelRecord record;
  std::vector<PricedStep> steps{};
};

// The steps in order, one for each round of the first launch that a mark tells apart: what lies behind the
// last mark belongs to the round that is open there. They add up to the record's whole. `first`: of the first
// launch of a run of the same experiment. `blocksDiffer`: the block that finishes last does more than the
// others, so that the run's may pass more marks than the grid's first block on the GPU; what the run alone
// passes is then one step. Empty: the run's first warp goes another way than the one on the GPU, so that no
// step can be named.
std::vector<PricedStep> pricedSteps(const model::PeelRecord& record, const LaunchAnalysis& first,
                                    bool blocksDiffer);

// The steps that cost most: the one of the highest price, and those of at least half of it whose intervals
// exclude 0 and which it does not exceed by kBetweenMeasurements, or whose intervals overlap with its own.
// The grid without a round is not among them, as it is no step of the reduction. In order; empty where no
// price's interval lies above 0.
std::vector<PricedStep> costliestSteps(std::span<const PricedStep> steps);

// The steps of one kind and stride on two sides: the sum of the side's prices.
struct StepDifference {
  PricedKind kind{};
  std::optional<std::uint64_t> stride{};
  bool withMore = false;                    // of a side, at least
  std::optional<double> before{}, after{};  // microseconds; nullopt: the side has no such step
  double change = 0;                        // after - before
  unsigned prices = 1;                      // of the side that has more of them
  double low = 0,
         high = 0;  // where it lies if each price lies in its interval, so with 95 % confidence at least
  bool isCertain() const {
    const double noise = kBetweenMeasurements * prices;
    return (low > 0 && change > noise) || (high < 0 && -change > noise);
  }
};

// Each kind and stride that one of the sides has, in the order of the left one's steps, and what the right
// one alone has after the step before it. The changes add up to that of the wholes.
std::vector<StepDifference> stepDifferences(std::span<const PricedStep> before,
                                            std::span<const PricedStep> after);

// The sum of the changes.
double changeOf(std::span<const StepDifference> differences);

// Where the right side takes less than the left one, or more: the largest certain difference, and those at
// least half as large. In order; empty: none is certain. The grid without a round is not among them: it is no
// step of the reduction, and nothing is due to it.
std::vector<StepDifference> largestDifferences(std::span<const StepDifference> differences, bool less);

}  // namespace stridescope::analysis
