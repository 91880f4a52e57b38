// A whole reduction of the catalogue on the GPU, planned and with its memory filled: what reads counters,
// marks blocks or times parts of it launches.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "engine/engine.h"
#include "kernels/run_plan.h"
#include "measure/gpu/clean_kernel.h"
#include "measure/gpu/timed_subject.h"
#include "model/clock_record.h"
#include "model/counters.h"
#include "model/timing_record.h"
#include "model/trace.h"

namespace stridescope::measure::gpu {

struct GridRun {
  model::Experiment experiment;  // as asked for, checked
  kernels::RunPlan plan;
  std::unique_ptr<CleanKernel> kernel;  // the clean one
  VariantMemory memory;
  // Copies of the input, of which each run takes the next, so that none is in L2. Null: runs take one and the
  // same, or the kernel works in place.
  std::unique_ptr<InputPool> inputs{};
  std::uint64_t nextInput() { return inputs ? inputs->next() : 0; }

  std::string kernelHash() const;
  // What is done before each run, all that is set back with it, and no launch yet. The result is the
  // reduction's.
  TimedPlan emptyPlan() const;
  // The same, but that what is set back in each reduction lies between the events.
  TimedPlan reductionPlan() const;
  // Does `emptying` before each run where inputs do not rotate. Else nothing.
  void empty(TimedPlan& timed, const std::optional<TimedLaunch>& emptying) const;
  bool isFinishedOnCpu() const { return plan.outcome == kernels::Outcome::AddedOnTheCpu; }
  // Where the CPU finishes, it gets its part within the time. Else nothing.
  void addCpuPart(TimedPlan& timed) const;
  // The plan's launches of a kernel that takes the catalogue's arguments.
  std::vector<TimedLaunch> launchesOf(CleanKernel& launched) const;
};

// The time of a run and its result, with what the CPU does at its end, where it does: it adds what the blocks
// left from left to right. One time per reduction, whoever measures it.
Timed withCpuPart(const kernels::RunPlan& plan, const model::Experiment& experiment,
                  const TimedOutcome& outcome);

// What is measured, and of which experiments it is not.
struct GridMeasured {
  std::string what;  // "counters"
  bool merges = true;
  bool waits = true;                            // kernels in which a block waits for the others
  std::uint64_t maxBlocks = ~std::uint64_t{0};  // all launches' together
  bool cold = true;                             // no run finds its input in L2
};

// All launches of the experiment, on its own data. Fails with a sentence; the error has kind Usage if the
// experiment is at fault.
Result<GridRun> planGrid(CleanRunner& runner, const model::Experiment& experiment, const model::Executor& gpu,
                         const GridMeasured& measured);

// What the GPU's device gives to measure a quantity with.
struct GridTask {
  CleanRunner& runner;
  const model::Experiment& experiment;
  const model::Executor& gpu;
  model::GpuLimits limits;
  // Reads so much that no input is left in L2; nullopt: its size is not known.
  std::function<Result<std::optional<TimedLaunch>>()> emptying;
  engine::JobControl& job;
};

// A quantity of a whole reduction, by its record: the device has one of these for each of
// model::MeasuredQuantities.
template <class Record>
Result<Record> measureGrid(const GridTask& task);
template <>
Result<model::CounterRecord> measureGrid(const GridTask& task);
template <>
Result<model::TimelineRecord> measureGrid(const GridTask& task);
template <>
Result<model::CostRecord> measureGrid(const GridTask& task);
template <>
Result<model::PeelRecord> measureGrid(const GridTask& task);

// A whole reduction on the GPU with the hardware's counters read: the clean kernel, every launch of it.

// All launches of the experiment, on its own data. Fails with a sentence for variants that demonstrate a bug,
// and where counters cannot be read.
Result<model::CounterRecord> countRun(CleanRunner& runner, const model::Experiment& experiment,
                                      const model::Executor& gpu);

// A whole reduction on the GPU beside empty kernels in the same grids: what launching alone takes.

inline constexpr unsigned kCostedRuns = 21;  // per kernel, after kCostedWarmUps each
inline constexpr unsigned kCostedWarmUps = 3;

// All launches of the experiment, on its own data; no input lies in L2: inputs rotate, and `emptying` is done
// before each run of a kernel that works in place. Fails with a sentence for variants that demonstrate a bug,
// and for merges.
Result<model::CostRecord> costRun(CleanRunner& runner, const model::Experiment& experiment,
                                  const model::Executor& gpu, const model::GpuLimits& limits,
                                  const std::optional<TimedLaunch>& emptying, engine::JobControl& job);

// A whole reduction on the GPU with a mark of each block: the clean kernel and the marked one in turn, the
// same launches on the same memory.

inline constexpr unsigned kMarkedRuns = 21;    // per kernel, after kMarkedWarmUps each
inline constexpr unsigned kMarkedWarmUps = 3;  // caches and clocks settle

// All launches of the experiment, on its own data; no input lies in L2: inputs rotate, and `emptying` is done
// before each run of a kernel that works in place. Fails with a sentence for variants that demonstrate a bug,
// for merges, and for grids of more blocks than a record has.
Result<model::TimelineRecord> markGrid(CleanRunner& runner, const model::Experiment& experiment,
                                       const model::Executor& gpu, const std::optional<TimedLaunch>& emptying,
                                       engine::JobControl& job);

// A whole reduction on the GPU beside itself ended early: what each of its steps costs
// (model/timing_record.h).

inline constexpr unsigned kPeeledRuns = 61;  // how often each runs, in turn
inline constexpr unsigned kPeeledWarmUps = 3;

// All launches of the experiment, on its own data; no input lies in L2: inputs rotate, and `emptying` is done
// before each run of a kernel that works in place. Fails with a sentence for variants that demonstrate a bug,
// for merges, for kernels in which a block waits for the others, and for those whose threads pass more than
// kMaxPeeledMarks.
Result<model::PeelRecord> peelRun(CleanRunner& runner, const model::Experiment& experiment,
                                  const model::Executor& gpu, const std::optional<TimedLaunch>& emptying,
                                  engine::JobControl& job);

}  // namespace stridescope::measure::gpu
