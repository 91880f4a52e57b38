// Device memory: what a variant's launches work on, and copies of its input.
#pragma once

#include <memory>
#include <vector>

#include "kernels/run_plan.h"
#include "measure/gpu/clean_kernel.h"
#include "measure/timing_device.h"

namespace stridescope::measure::gpu {

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

}  // namespace stridescope::measure::gpu
