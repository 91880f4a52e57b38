// A whole reduction on the GPU as one timed thing: every launch of it between two events on the runner's
// stream.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "base/result.h"
#include "model/dim3.h"

namespace stridescope::measure::gpu {

class CleanKernel;

struct TimedLaunch {
  CleanKernel* kernel = nullptr;  // made by the same runner; lives longer than the run
  model::Dim3 grid{}, block{};
  std::uint64_t sharedBytes = 0;           // dynamic
  std::vector<std::uint64_t> arguments{};  // as CleanLaunch has them
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

}  // namespace stridescope::measure::gpu
