// What is known of a reduction's time: the prices of its steps, what bounds it from below, and what differs
// from one variant to the next.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "analysis/analysis.h"
#include "analysis/grid_timeline.h"
#include "analysis/round_cycles.h"
#include "model/counters.h"
#include "model/timing_record.h"

namespace stridescope::analysis {

// How many bytes of the input a thread asks for before it needs any of them.

struct LoadsPerThread {
  unsigned loads = 0, bytes = 0;
  // The round loads in other passes, too: in a loop, of which the compiler may have several trips in flight.
  bool inLoop = false;
  friend bool operator==(const LoadsPerThread&, const LoadsPerThread&) = default;
};

// What the first warp's first active lane loads from device memory in one pass, the launch's pass with the
// most bytes: one trip of a loop, or the loads of straight-line code. This follows the text: the compiler may
// unroll a loop, and load more at once. 0: the launch loads nothing.
LoadsPerThread loadsPerThread(const model::LaunchTrace& launch, const LaunchAnalysis& analysis);

// What is known of a reduction on one GPU, all of the same experiment.
struct ReductionCost {
  model::CostRecord cost;
  std::optional<model::CounterRecord> counters{};
  std::optional<LaunchTimes> firstLaunch{};  // from its timeline
  LoadsPerThread loads{};                    // the first launch's
  std::optional<StepPrices> prices{};
};

// What a reduction takes at least, or would take if nothing else did. Bounds overlap: they are no parts of
// the time, and none of them says what the time is due to.
enum class BoundKind : std::uint8_t {
  EmptyGrid,      // grids of as many blocks that do nothing
  Memory,         // the input once, at the measured peak bandwidth
  LoadsInFlight,  // what the text has in flight at once, where memory could deliver more in the meantime
  Instructions,   // the schedulers issue one instruction a cycle each
  SharedMemory,   // one wavefront a cycle on each multiprocessor, without those of conflicts
  BankConflicts,  // the wavefronts of conflicts
  Barriers,       // warps that wait for others of their block
  Tail,           // the end of a launch, when no more blocks start
};
inline constexpr std::array kBoundKinds{
    BoundKind::EmptyGrid,    BoundKind::Memory,        BoundKind::LoadsInFlight, BoundKind::Instructions,
    BoundKind::SharedMemory, BoundKind::BankConflicts, BoundKind::Barriers,      BoundKind::Tail};
std::string_view nameOf(BoundKind kind);  // "empty_grid", "memory", ...: in JSON

struct Bound {
  BoundKind kind{};
  double microseconds = 0;
};

// Those that are known, the longest first. LoadsInFlight is not known where it would be longer than the
// reduction took: the compiler then has more loads in flight than the text asks for at once.
std::vector<Bound> boundsOf(const ReductionCost& reduction);
// 0: not known.
double boundOf(const ReductionCost& reduction, BoundKind kind);

// Warp schedulers of a multiprocessor, each of which issues at most one instruction a cycle: four in every
// GPU since compute capability 7.0 (CUDA C++ Programming Guide, Compute Capabilities).
inline constexpr unsigned kSchedulers = 4;

// The numbers that formulas are made of. 0: not known.

// Bytes of the input.
std::uint64_t inputBytes(const model::CostRecord& cost);
// Bytes that the first launch's resident threads ask for at once: resident threads x bytes of a pass. As many
// blocks are resident as fit, or as there are.
double bytesInFlight(const ReductionCost& reduction);
// Little's law: as many bytes must be asked for as memory delivers while one load takes its latency.
double bytesNeededInFlight(const model::GpuLimits& limits);
// The counter's value over all launches.
double counted(const ReductionCost& reduction, model::Counter counter);
// The share of their time that the first launch's warps wait at barriers. It is the hardware counters' stall
// reason for barriers (warps on average) over the sum of all stall reasons and the one warp that issues.
double barrierShare(const ReductionCost& reduction);

// Up to which number of elements a grid that does nothing takes at least half as long as a variant does, and
// from where on reading the input once does. Pure.

// Sizes between two that were measured are found on a straight line over the logarithm of n.
struct SizeBounds {
  std::optional<double> emptyGridUntil{};  // nothing: at no measured size, or at all of them
  std::optional<double> memoryFrom{};      // likewise
};

// Microseconds: the whole reduction, grids that do nothing, and the input once at the peak bandwidth.
struct SizePoint {
  double elements = 0;
  double time = 0, emptyGrid = 0, memory = 0;
};

// Requires the points of one variant on one GPU, in ascending order of n.
SizeBounds sizeBounds(std::span<const SizePoint> points);

// From where on several GPUs take less time than one. Pure.

struct SizedTime {
  double elements = 0, microseconds = 0;
};

struct GroupPayoff {
  enum class Kind : std::uint8_t {
    Unknown,  // there are no two sizes that both curves have
    Never,    // at the largest size one GPU is at least as fast
    Always,   // several are faster at every size
    From,     // from `from` on, up to the largest size
  };
  Kind kind = Kind::Unknown;
  // Where the curves cross for the last time, straight between two sizes on logarithmic axes.
  SizedTime from{};
};
// Requires both curves in ascending order of n; the sizes that both have count.
GroupPayoff payoffOf(std::span<const SizedTime> one, std::span<const SizedTime> several);

// What differs in cost from one variant to the next, at the same experiment on the same GPU, and in which
// steps their times differ most. Pure.

enum class ChangedFigure : std::uint8_t {
  Time,  // microseconds
  Launches,
  Blocks,        // all launches' together
  Instructions,  // executed by warps
  Wavefronts,    // in shared memory
  Conflicts,     // the wavefronts of them that conflicts cost
  BytesInFlight,
  DramShare,  // percent of the peak, in the launch with the most blocks
  EmptyGrid,  // microseconds
};
inline constexpr std::array kChangedFigures{
    ChangedFigure::Time,          ChangedFigure::Launches,   ChangedFigure::Blocks,
    ChangedFigure::Instructions,  ChangedFigure::Wavefronts, ChangedFigure::Conflicts,
    ChangedFigure::BytesInFlight, ChangedFigure::DramShare,  ChangedFigure::EmptyGrid};
std::string_view nameOf(ChangedFigure figure);  // "launches", "bytes_in_flight": in JSON

struct Change {
  ChangedFigure figure{};
  double before = 0, after = 0;
  // Over what was before; nullopt: that was nothing.
  std::optional<double> factor() const { return before > 0 ? std::optional(after / before) : std::nullopt; }
};

struct RungChange {
  std::vector<Change> changes{};  // the figures that are known for both, in the order of kChangedFigures
  // The steps' prices on both sides; empty: they are not known of both.
  std::vector<StepDifference> steps{};
  // The largest of these in the direction of the time, and those in the other that are half as large at
  // least. Empty, too, where the sum of the steps goes another way than the time, which was measured apart.
  std::vector<StepDifference> largest{}, against{};
  bool agrees() const { return (changeOf(steps) > 0) == (saved < 0); }  // the steps' sum with the time
  bool stepsAddUp = true;                                               // on both sides (model::addsUp)
  // What ending the kernel behind its steps costs on each side, as a share of its time.
  double endingBefore = 0, endingAfter = 0;
  // What the grid that does nothing takes more (above 0) or less, where the first launches' grids are others;
  // nullopt: they are the same, or it is not certain.
  std::optional<double> grid{};
  // The ratio of the times' medians, where it lies with some 95 % confidence (MedianInterval).
  double ratio = 1, ratioLow = 1, ratioHigh = 1;
  bool isSameTime() const { return ratioLow <= 1 && ratioHigh >= 1; }
  double saved = 0;  // microseconds; negative: it takes longer
  const Change* find(ChangedFigure figure) const;
};

// Requires records of the same elements.
RungChange changeFrom(const ReductionCost& before, const ReductionCost& after);

}  // namespace stridescope::analysis
