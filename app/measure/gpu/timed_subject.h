// One subject on the GPU, ready to be timed: its kernels compiled, its memory filled, its launches planned.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "kernels/run_plan.h"
#include "measure/baselines/gpu_baselines.h"
#include "measure/gpu/clean_kernel.h"
#include "measure/gpu/gpu_limits.h"
#include "measure/timing_device.h"

namespace stridescope::measure::gpu {

// Device memory: what a variant's launches work on, and copies of its input.

// The device memory that a variant's launches work on.

// Memory for the planned buffer, filled with what it holds before the first launch.
Result<std::unique_ptr<GpuBuffer>> filledBuffer(CleanRunner& runner, const kernels::PlannedBuffer& planned,
                                                const model::Experiment& experiment);

// All of a plan's memory, with the experiment's input.
struct VariantMemory {
  std::vector<std::uint64_t> addresses{};  // the plan's buffers'
  // Set back from copies what launches change. What a kernel works on in place, and counters, are set back
  // before each run; what blocks add to in each run, at its beginning: that is part of the reduction.
  std::vector<TimedStep> before{}, resets{};
  std::vector<std::unique_ptr<GpuBuffer>> buffers{};  // the plan's and the copies
};
Result<VariantMemory> variantMemory(CleanRunner& runner, const kernels::RunPlan& plan,
                                    const model::Experiment& experiment);

// The plan's launches with an empty kernel, which has no parameters.
std::vector<TimedLaunch> emptyLaunches(const kernels::RunPlan& plan, CleanKernel& empty);

// The plan's launch on buffers at these addresses.
TimedLaunch launchOn(const kernels::RunPlan& plan, const kernels::LaunchShape& launch, CleanKernel& kernel,
                     std::span<const std::uint64_t> addresses);

// Copies of one input in the GPU's memory, used in turn: when one's turn comes again, far more than the L2
// cache holds was read meanwhile.

class InputPool {
 public:
  explicit InputPool(CleanRunner& runner) : runner_(runner) {}

  // Copies of the case's input, each filled up to `room` elements with the identity, as the launch plans
  // want it. In place of what was there. One copy where L2 shall be warm, or where there is no room for two.
  // Fails with kind Usage where one does not fit.
  Result<void> fill(const model::TimingCase& timingCase, std::uint64_t room);

  // Copies of so many bytes that stand at `from` on the GPU, in place of what was there. One copy where there
  // is no room for two.
  Result<void> fillFrom(std::uint64_t from, std::uint64_t bytes);

  std::uint64_t first() const { return buffer_->address(); }
  std::uint64_t next() { return first() + turn_++ % copies_ * stride_; }
  std::uint64_t copies() const { return copies_; }

 private:
  // Bytes that the copies may take together.
  Result<std::uint64_t> budget() const;
  // Memory for copies of so many bytes; `once`: for one.
  Result<void> reserveCopies(std::uint64_t bytes, std::uint64_t budget, bool once);
  Result<void> reserve(std::uint64_t bytes);
  Result<void> repeat(std::uint64_t at, std::uint64_t have, std::uint64_t want);
  Result<void> fillFirst(const model::TimingCase& timingCase, std::uint64_t room);

  CleanRunner& runner_;
  std::unique_ptr<GpuBuffer> buffer_;
  std::uint64_t stride_ = 0, copies_ = 1, turn_ = 0;
};

// Where the inputs lie and how caches are emptied, the same for all subjects of a case.
struct CaseMemory {
  std::uint64_t inputPlace = 0;  // an address that stands for the input's
  std::uint64_t room = 0;        // elements that every input has, the last ones identities
  const MemoryPasses* passes = nullptr;
  std::uint64_t emptying = 0,
                emptyingBytes = 0;  // memory that is read to empty L2 of the rest; 0 bytes: L2 stays
  unsigned emptyingBlocks = 0;
  unsigned gpu = 0;  // the driver's number
};

class TimedSubject {
 public:
  virtual ~TimedSubject() = default;
  virtual Result<Timed> run(std::uint64_t input) = 0;
  virtual unsigned threads() const = 0;  // per block; 0: there are no blocks of ours
  // The time of empty kernels in the same grids, microseconds; 0: it has no grids of ours.
  virtual Result<double> emptyTime() { return 0.0; }
};

// How many elements of input a variant reads at the case, filled up to whole blocks; an error that says
// why it is not timed there.
Result<std::uint64_t> roomOf(const model::TimingSubject& variant, const model::TimingCase& timingCase,
                             const model::Executor& gpu);

Result<std::unique_ptr<TimedSubject>> makeTimedVariant(CleanRunner& runner,
                                                       const model::TimingSubject& variant,
                                                       const model::TimingCase& timingCase,
                                                       const CaseMemory& memory);
// The floor (timing_board.h): the grid of single_pass, whose blocks read all elements, and nobody combines
// what they leave. The result that is told is what the CPU makes of it outside the time: whether all was
// read.
Result<std::unique_ptr<TimedSubject>> makeTimedFloor(CleanRunner& runner, const model::TimingCase& timingCase,
                                                     const CaseMemory& memory);
Result<std::unique_ptr<TimedSubject>> makeTimedBaseline(CleanRunner& runner,
                                                        const model::TimingSubject& baseline,
                                                        const model::TimingCase& timingCase,
                                                        const CaseMemory& memory);

}  // namespace stridescope::measure::gpu
