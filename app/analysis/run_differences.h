// Two runs in figures: what differs where they stand, over all their rounds, and in what was measured of
// them; which side is better, and by how much.
//
// A side is better only where both do the same work: what a figure needs for that is one of its facts, and
// that nothing went wrong on either side. A
// factor needs figures of one origin: a modelled one says nothing about a measured one, nor one GPU about
// another, unless the GPU is all that differs between the sides.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/analysis.h"
#include "analysis/compared_sides.h"
#include "analysis/data_flow.h"
#include "analysis/round_cycles.h"
#include "model/counters.h"
#include "model/timing_record.h"

namespace stridescope::analysis {

enum class OriginKind : std::uint8_t { Modelled, Measured, Recorded };
std::string_view nameOf(OriginKind kind);  // "modelled", "measured", "recorded"

// Where a figure is from.
struct FigureOrigin {
  OriginKind kind = OriginKind::Modelled;
  std::string device{};  // the GPU, unless the figure is modelled
  friend bool operator==(const FigureOrigin&, const FigureOrigin&) = default;
};

enum class FigureOf : std::uint8_t {
  Round,     // the round or pass that is shown, modelled
  Run,       // all rounds of the inspected blocks, over all launches, modelled
  Cycles,    // a block's clock
  Time,      // a whole reduction of as many elements on both sides
  Cost,      // the whole reduction with the experiment's own n
  Counters,  // a launch, by the hardware's counters
};
std::string_view nameOf(FigureOf of);  // "round", "run", "cycles", "time", "cost", "counters"

enum class FigureUnit : std::uint8_t { Count, PerElement, Cycles, Microseconds, Bytes, Percent, Warps };
std::string_view nameOf(FigureUnit unit);  // "count", "per element", ...

// What must be the same on both sides for less of a figure to be better.
enum class SameWork : std::uint8_t {
  Fault,          // less is better, whatever else went wrong
  Nothing,        // less is better in any case
  ActiveThreads,  // in the round
  IdealSectors,   // the same elements of device memory in the round
  BlockElements,  // elements of the input for each block of the first launch
  Input,          // elements of the input
  TimedElements,  // elements that were timed
  NeverBetter,    // the figure says nothing about better or worse
};

struct FigureFacts {
  std::string_view name;   // in JSON: "highest_way"; counters have Counter's name
  std::string_view title;  // "highest conflict, ways"
  FigureOf of{};
  FigureUnit unit = FigureUnit::Count;
  SameWork better = SameWork::NeverBetter;
  bool detail = false;  // another figure of the same tells more
};

struct ComparedFigure {
  FigureFacts facts;
  BothSides<std::optional<double>> value;  // nullopt: not known; one of them is
  BothSides<FigureOrigin> origin;          // where a known value comes from
  bool sameWork = false;                   // so that less is better
  bool oneOrigin = false;                  // so that a factor says something
  bool otherElements = false;  // times, or sums over a run's rounds, of another n: no factor, nobody better
  BothSides<std::optional<MedianInterval>> interval{};  // of measured times, where it is known

  bool differs() const { return value.left != value.right; }
  std::optional<Side> better() const;  // nullopt: none of them, or nobody knows
  // How many times as much the greater one is; nullopt: they are equal, or as good as equal where they are
  // measured; one is 0 or not known, of another origin, or of another n, where that decides; or they are
  // shares or averages.
  std::optional<double> factor() const;
};

// One side. What it points to outlives it.
struct ComparedSide {
  const model::Trace* trace = nullptr;
  const Analysis* analysis = nullptr;
  unsigned launch = 0;
  // What is shown: a round of the launch, or one pass of it. nullptr: the side has no such round.
  const Round* shown = nullptr;
  const RoundFlow* flow = nullptr;     // the data flow of `shown`
  std::optional<std::size_t> round{};  // its number, if it is shown whole

  const LaunchCycles* cycles = nullptr;  // the launch's
  FigureOrigin cyclesFrom{};
  const model::LaunchCounters* counters = nullptr;  // the launch's
  FigureOrigin countersFrom{};
  const model::CostRecord* cost = nullptr;
  FigureOrigin costFrom{};
  const StepPrices* prices = nullptr;  // of the steps of the reduction that has that cost
  std::optional<double> microseconds{};
  std::optional<MedianInterval> timeInterval{};  // theirs
  std::uint64_t timedElements = 0;               // 0: not timed
  FigureOrigin timeFrom{};
};

// In the order in which they are shown; figures that neither side has are left out.
std::vector<ComparedFigure> compareRuns(const ComparedSide& left, const ComparedSide& right);
// The figures of the shown rounds alone, with what they cost in cycles.
std::vector<ComparedFigure> compareRounds(const ComparedSide& left, const ComparedSide& right);

}  // namespace stridescope::analysis
