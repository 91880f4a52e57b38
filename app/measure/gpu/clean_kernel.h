// The clean text on the GPU, for timing: what a person reads, compiled as it is,
// launched on memory that the caller fills.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "base/result.h"
#include "engine/gpu/gpu_engine.h"
#include "measure/gpu/hardware_counters.h"
#include "model/dim3.h"
#include "model/experiment.h"

namespace stridescope::measure::gpu {

// A whole reduction on the GPU as one timed thing: every launch of it between two events on the runner's
// stream.

class CleanKernel;

struct TimedLaunch {
  CleanKernel* kernel = nullptr;  // made by the same runner; lives longer than the run
  model::Dim3 grid{}, block{};
  std::uint64_t sharedBytes = 0;           // dynamic
  unsigned cluster = 1;                    // blocks of a cluster; 1: there are none
  std::vector<std::uint64_t> arguments{};  // as CleanLaunch has them
  // Structures of 8-byte words that are passed by value, by the number of the argument in whose place they
  // stand.
  std::map<std::size_t, std::vector<std::uint64_t>> structures{};
};
struct TimedCopy {  // within the GPU
  std::uint64_t to = 0, from = 0, bytes = 0;
};
struct TimedFill {
  std::uint64_t to = 0, bytes = 0;
  std::uint8_t value = 0;
};
// Another library's reduction of the input at that address, enqueued on the stream (a CUstream).
struct TimedWork {
  std::function<Result<void>(std::uint64_t input, void* stream)> enqueue;
};
// A moment whose distance from the first event is told. A plan has at most one, before that event.
struct TimedMoment {};
using TimedStep = std::variant<TimedLaunch, TimedCopy, TimedFill, TimedWork, TimedMoment>;

struct TimedPlan {
  std::string name{};               // for the sentences of errors
  std::vector<TimedStep> before{};  // done before the first event, and finished: not timed
  std::vector<TimedStep> steps{};   // between the events
  // Wherever a launch's argument or a copy's source is this address, run() puts the input's.
  std::uint64_t inputPlace = 0;
  std::uint64_t resultAddress = 0, resultBytes = 0;
  bool resultIsTimed = false;  // the copy of the result to the host lies between the events, too
  bool graph = false;          // the steps are made into one CUDA graph before the first event
};

struct TimedOutcome {
  double microseconds = 0;               // between the events
  std::span<const std::uint8_t> result;  // until the next run
  double sinceMoment = 0;  // microseconds from the plan's moment to the first event; 0: it has none
};

class TimedRun {
 public:
  virtual ~TimedRun() = default;
  // Once, with the input at that address. When it returns the GPU has finished.
  virtual Result<TimedOutcome> run(std::uint64_t input) = 0;

  // The same in parts, for a plan that is one GPU's share of what several do (gpu_group.h); no event is
  // recorded. What comes before the steps, done when this returns; the steps and the copy of the result to
  // the host, enqueued; the result, once the GPU has finished.
  virtual Result<void> prepareInput(std::uint64_t input) = 0;
  virtual Result<void> enqueue(std::uint64_t input) = 0;
  virtual std::span<const std::uint8_t> result() const = 0;
};

// What timing needs to know of a GPU's memory.
struct GpuMemoryFacts {
  std::string name;  // the GPU's
  std::string computeCapability;
  unsigned multiprocessors = 0;
  std::uint64_t freeBytes = 0, l2Bytes = 0;
  double peakGigabytesPerSecond = 0;  // memory clock times bus width, as the driver tells; 0: not known
  std::string busId;                  // "0000:1b:00.0"; empty: not known
};

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
  unsigned cluster = 1;           // blocks of a cluster; 1: there are none
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
  // The same within a time, behind which what still runs is given up: the runner is of no use any more.
  virtual Result<void> wait(std::chrono::milliseconds limit) = 0;
  // Whether all that was enqueued has run. Fails where it went wrong.
  virtual Result<bool> isDone() = 0;

  // Several GPUs of one process; the others are runners of real GPUs as this one is. From now on this GPU may
  // use the other's memory, by its addresses: Unavailable where it cannot.
  virtual Result<void> reach(CleanRunner& other) = 0;
  // What is enqueued here afterwards begins when what was enqueued there before its last setMark() has ended.
  virtual Result<void> setMark() = 0;
  virtual Result<void> waitForMark(CleanRunner& other) = 0;

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
