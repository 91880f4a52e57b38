// The clean text on the GPU, for timing: what a person reads, compiled as it is,
// launched on memory that the caller fills.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/gpu/gpu_engine.h"
#include "engine/gpu/timed_form.h"
#include "measure/gpu/hardware_counters.h"
#include "measure/gpu/timed_run.h"
#include "model/dim3.h"
#include "model/experiment.h"

namespace stridescope::measure::gpu {

using engine::gpu::TimedForm;

// Memory on the GPU, freed with the object.
class GpuBuffer {
 public:
  virtual ~GpuBuffer() = default;
  virtual std::uint64_t address() const = 0;
  virtual std::uint64_t bytes() const = 0;
};

struct CleanLaunch {
  model::Dim3 grid{}, block{};
  std::uint64_t sharedBytes = 0;  // dynamic
  // In the order of the kernel's parameters: GpuBuffer addresses, and numbers that are passed by value.
  std::vector<std::uint64_t> arguments;
};

// How a kernel fits on a multiprocessor, in blocks of a size.
struct KernelFit {
  unsigned registers = 0;       // per thread
  unsigned residentBlocks = 0;  // at once, as the driver computes
};

class CleanKernel {
 public:
  virtual ~CleanKernel() = default;
  // Enqueues one launch; it has not run when this returns.
  virtual Result<void> launch(const CleanLaunch& launch) = 0;
  // The address of a variable of the kernel's text that is `bytes` large.
  virtual Result<std::uint64_t> variable(const char* name, std::size_t bytes) = 0;
  // How the kernel fits in blocks of so many threads, with so much dynamic shared memory.
  virtual Result<KernelFit> fit(std::uint64_t threads, std::uint64_t sharedBytes) = 0;
};

// A GPU ready to run clean kernels, in its primary context. It lives longer than what it makes. One thread at
// a time, and one runner a GPU: after a kernel has failed the context is reset, and what was made in it
// before is gone; every call on that fails. A driver may refuse the whole process every further call once a
// kernel of it has faulted, so a runner, too, belongs into a process of its own (worker/).
class CleanRunner {
 public:
  virtual ~CleanRunner() = default;

  // The catalogue's kernel for this experiment, in any form, or any other text with its preamble.
  virtual Result<std::unique_ptr<CleanKernel>> load(const model::Experiment& experiment, TimedForm form) = 0;
  virtual Result<std::unique_ptr<CleanKernel>> load(const std::string& name, const std::string& preamble,
                                                    const std::string& text) = 0;

  virtual Result<std::unique_ptr<GpuBuffer>> allocate(std::uint64_t bytes) = 0;
  virtual Result<void> upload(const GpuBuffer& to, std::span<const std::uint8_t> bytes) = 0;
  virtual Result<void> download(const GpuBuffer& from, std::span<std::uint8_t> bytes) = 0;
  virtual Result<void> wait() = 0;  // until every launch has run

  // A run of the plan for timing. It lives no longer than the runner and the kernels that it launches.
  virtual Result<std::unique_ptr<TimedRun>> timed(TimedPlan plan) = 0;
  // Runs the plan's `before` once, then its steps with the hardware's counters read: a list for each launch
  // among the steps, in order. Fails where the GPU's counters cannot be read, and says why.
  virtual Result<CounterLists> counted(TimedPlan plan) = 0;
  virtual Result<void> copy(const TimedCopy& copy) = 0;  // enqueues it
  virtual Result<void> upload(std::uint64_t address, std::span<const std::uint8_t> bytes) = 0;
  virtual Result<GpuMemoryFacts> memoryFacts() = 0;
  virtual std::vector<std::string> disturbances() = 0;  // at this moment, as sentences (clean_kernel.cpp)
  virtual bool isUsable() const = 0;  // false: what fails now fails for ever in this process

  // The CUstream that launches go to, for events around them. nullptr before the first load or allocation.
  virtual void* stream() const = 0;
};

Result<std::unique_ptr<CleanRunner>> makeCleanRunner(unsigned index,
                                                     const engine::gpu::GpuPlaces& places = {});

}  // namespace stridescope::measure::gpu
