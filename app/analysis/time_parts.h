// What the time of a reduction is made of: launching, memory, and the rest with what binds it. Each part is
// measured or computed from named measurements. Pure. Times are microseconds.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "analysis/grid_timeline.h"
#include "analysis/loads_in_flight.h"
#include "model/cost_record.h"
#include "model/counters.h"

namespace stridescope::analysis {

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

}  // namespace stridescope::analysis
