// What each round of a block cost in the SM's cycles, from marks of its clock (clocking/clock.h).
//
// A round of a warp lasts from where the one before it ended to its own end: to the mark behind the barrier
// that ends it, or to the mark before the shuffle that opens the next. The first begins at the warp's first
// mark, the last ends at its last, so that a warp's rounds add up to its time.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "analysis/analysis.h"
#include "model/clock_record.h"

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

}  // namespace stridescope::analysis
