// What the time of a reduction is made of, from which size on, and what changes from one variant to the next.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "analysis/analysis.h"
#include "analysis/grid_timeline.h"
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

// What the time of a reduction is made of: launching, memory, and the rest with what binds it. Each part is
// measured or computed from named measurements. Pure. Times are microseconds.

// What is known of a reduction on one GPU, all of the same experiment.
struct ReductionCost {
  model::CostRecord cost;
  std::optional<model::CounterRecord> counters{};
  std::optional<LaunchTimes> firstLaunch{};  // from its timeline
  LoadsPerThread loads{};                    // the first launch's
};

// What may hold a kernel up. Where one of them is the time of the kernel, less of it makes the kernel faster.
enum class LimitKind : std::uint8_t {
  LoadsInFlight,  // fewer bytes are asked for at once than memory could deliver in the meantime; not known
                  // of a loop, nor where that would take longer than the reduction does
  Instructions,   // the schedulers issue one instruction a cycle each
  SharedMemory,   // one wavefront a cycle on each multiprocessor, without those of conflicts
  BankConflicts,  // the wavefronts of conflicts
  Barriers,       // warps that wait for others of their block
  Tail,           // the end of a launch, when no more blocks start
};
inline constexpr std::array kLimitKinds{LimitKind::LoadsInFlight, LimitKind::Instructions,
                                        LimitKind::SharedMemory,  LimitKind::BankConflicts,
                                        LimitKind::Barriers,      LimitKind::Tail};
std::string_view nameOf(LimitKind kind);  // "loads_in_flight", ...: in JSON

// How long it takes by itself, if nothing else did.
struct Limit {
  LimitKind kind{};
  double microseconds = 0;
};

struct TimeParts {
  double total = 0;      // the reduction
  double launching = 0;  // empty kernels in the same grids
  double memory = 0;     // the input once, at the measured peak bandwidth; 0: that is not known
  // What is left of the total; negative where launching and memory overlap by more than is left.
  double rest() const { return total - launching - memory; }
  std::vector<Limit> limits{};  // those that are known, the longest first
  // The part of the rest that not even the longest limit covers; 0: it covers all.
  double unexplained() const;
  bool isExplained() const;  // at most kUnexplainedShare of the total is left
};
inline constexpr double kUnexplainedShare = 0.1;

// Warp schedulers of a multiprocessor, each of which issues at most one instruction a cycle: four in every
// GPU since compute capability 7.0 (CUDA C++ Programming Guide, Compute Capabilities).
inline constexpr unsigned kSchedulers = 4;

TimeParts timePartsOf(const ReductionCost& reduction);

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

// For which numbers of elements launching takes most of a variant's time, and from where on memory does.
// Pure.

// Most of the time: a part whose lower bound is at least half of it. Sizes between two that were measured are
// found on a straight line over the logarithm of n.
struct SizeBounds {
  std::optional<double> launchingUntil{};  // nothing: at no measured size, or at all of them
  std::optional<double> memoryFrom{};      // likewise
};

// Microseconds: the whole reduction, launching alone, and memory alone.
struct SizePoint {
  double elements = 0;
  double time = 0, launching = 0, memory = 0;
};

// Requires the points of one variant on one GPU, in ascending order of n.
SizeBounds sizeBounds(std::span<const SizePoint> points);

// What changed in cost from one variant to the next, at the same experiment on the same GPU, and which change
// explains the time. Pure.

enum class ChangedFigure : std::uint8_t {
  Time,  // microseconds
  Launches,
  Blocks,        // all launches' together
  Instructions,  // executed by warps
  Wavefronts,    // in shared memory
  Conflicts,     // the wavefronts of them that conflicts cost
  BytesInFlight,
  DramShare,  // percent of the peak, in the launch with the most blocks
  Launching,  // microseconds of empty kernels
};
inline constexpr std::array kChangedFigures{
    ChangedFigure::Time,          ChangedFigure::Launches,   ChangedFigure::Blocks,
    ChangedFigure::Instructions,  ChangedFigure::Wavefronts, ChangedFigure::Conflicts,
    ChangedFigure::BytesInFlight, ChangedFigure::DramShare,  ChangedFigure::Launching};
std::string_view nameOf(ChangedFigure figure);  // "launches", "bytes_in_flight": in JSON

struct Change {
  ChangedFigure figure{};
  double before = 0, after = 0;
  // Over what was before; nullopt: that was nothing.
  std::optional<double> factor() const { return before > 0 ? std::optional(after / before) : std::nullopt; }
};

struct RungChange {
  std::vector<Change> changes{};  // the figures that are known for both, in the order of kChangedFigures
  // The figure that saves most time by itself (as analysis/time_parts.h reckons it), where the time got less
  // and that covers a good part of what was saved; nullopt: no change does.
  std::optional<ChangedFigure> cause{};
  // By itself it took at least as long before as anything else: launching, memory, another limit.
  bool wasLimit = false;
  double saved = 0;      // microseconds of the time; negative: it takes longer
  double explained = 0;  // microseconds that the cause saves by itself, at most `saved`
  const Change* find(ChangedFigure figure) const;
  double timeFactor() const { return find(ChangedFigure::Time)->factor().value_or(1); }
  // The times are the same, as far as their quartiles tell them apart.
  bool sameTime = false;
};

// Requires records of the same elements.
RungChange changeFrom(const ReductionCost& before, const ReductionCost& after);

}  // namespace stridescope::analysis
