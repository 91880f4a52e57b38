// Runs variants and records what they did. Three engines: the CPU executor (host/), a real GPU (gpu/), and a
// recording (recorded/). All give the same Trace.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "base/result.h"
#include "model/trace.h"

namespace stridescope::engine {

// Shared by the worker that runs a job and the thread that watches it.
struct JobControl {
  std::atomic<bool> cancel{false};
  std::function<void(float fraction, const std::string& doing)>
      progress;  // may be empty; called by the worker
  // Set by what a job calls that cannot wait, as in a page: what the job asked for is under way elsewhere.
  // What it is given now is of no use, and the job is done again from its beginning, soon.
  bool awaits = false;
};

struct RecordLimits {
  std::uint64_t eventsPerThread = 1u << 18;  // a thread that makes more is stopped and reported as "limit"
  std::uint64_t traceBytes = 256ull << 20;   // for the inspected block's events: model::kMaxTraceEvents
};

class Engine {
 public:
  virtual ~Engine() = default;

  virtual model::Executor executor() const = 0;

  // False after a failure that this engine does not get over (a GPU may refuse a process every further call
  // once a kernel of it has failed): make another.
  virtual bool isUsable() const { return true; }

  // Makes ready what record() will need for these experiments (a GPU's engine opens the GPU and compiles, on
  // all cores), so that many of them run without pauses; without experiments, what any of them will need.
  // Optional; an engine with nothing to prepare does nothing.
  virtual Result<void> prepare(std::span<const model::Experiment> experiments, JobControl& job) {
    (void)experiments, (void)job;
    return {};
  }

  // Runs the whole reduction and records the inspected block of every launch. The experiment must be legal
  // (see experiment_check.h): an engine refuses what only it cannot do. Blocking; call it from a worker
  // thread.
  virtual Result<model::Trace> record(const model::Experiment& experiment, JobControl& job) = 0;

  // Tries a person's own operator without running the variant. For an engine that has the operator compiled
  // for the CPU.
  virtual Result<model::OperatorTrial> tryOperator(const model::Experiment& experiment, JobControl& job) {
    (void)experiment, (void)job;
    return unavailable("This engine tries no operators.");
  }
  // Combines the input in a plain loop, left to right: what must come out, printed.
  virtual Result<std::string> foldInput(const model::Experiment& experiment, JobControl& job) {
    (void)experiment, (void)job;
    return unavailable("This engine folds no input.");
  }
};

}  // namespace stridescope::engine
