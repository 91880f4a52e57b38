// Runs variants and records what they did. Three engines: the CPU executor (host/), a real GPU (gpu/), and a
// recording (recorded/). All give the same Trace.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/describe.h"
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

// What an engine is called, on the command line and in the window: "auto", "host", "gpu", "gpu:N", or a
// recording's file.

enum class EngineNameKind : std::uint8_t { Auto, Host, Gpu, Recording };

struct EngineName {
  EngineNameKind kind = EngineNameKind::Auto;
  unsigned gpu = 0;  // the driver's number; 0 unless "gpu:N" says otherwise
};

inline constexpr unsigned kMaxGpus = 1024;

// Everything that is none of the other names is taken for a file's. Nothing: "gpu:" without a number below
// kMaxGpus.
std::optional<EngineName> parseEngineName(std::string_view name);

std::string gpuEngineName(unsigned gpu);  // "gpu:0"

// The driver's number of the GPU that a name tells; what is no GPU's name tells the first.
unsigned gpuOf(std::string_view name);

// A GPU where it runs an experiment, else the CPU executor: what 'auto' means on a machine with a GPU.

enum class OnGpuFailure : std::uint8_t {
  RunOnCpu,  // what a driver that fails, or hangs, did not record is recorded by the CPU executor
  Tell,      // its error is record()'s: the GPU is what is examined
};

// executor() is the GPU's; a trace says who recorded it.
class AutoEngine final : public Engine {
 public:
  AutoEngine(std::unique_ptr<Engine> gpu, std::unique_ptr<Engine> host, OnGpuFailure onFailure)
      : gpu_(std::move(gpu)), host_(std::move(host)), onFailure_(onFailure) {}

  model::Executor executor() const override { return gpu_->executor(); }
  bool isUsable() const override { return gpu_->isUsable(); }
  Result<void> prepare(std::span<const model::Experiment> experiments, JobControl& job) override;
  // An error of both is the GPU's.
  Result<model::Trace> record(const model::Experiment& experiment, JobControl& job) override;

  // Why the last trace is the CPU executor's, a sentence; empty: it is the GPU's.
  std::string whyOnTheCpu() const {
    const std::scoped_lock lock(mutex_);
    return whyOnTheCpu_;
  }

 private:
  void remember(std::string why) {
    const std::scoped_lock lock(mutex_);
    whyOnTheCpu_ = std::move(why);
  }

  std::unique_ptr<Engine> gpu_, host_;
  OnGpuFailure onFailure_;
  mutable std::mutex mutex_;  // guards the next member
  std::string whyOnTheCpu_;
};

// The same for any engine; empty: it is no AutoEngine.
std::string whyOnTheCpu(const Engine& engine);

// What there is to run on, as a worker process finds it (worker/gpu_worker.h): for `doctor`, the window's
// list of engines and its greeting.

struct GpuDescription {
  unsigned index = 0;             // the driver's number
  std::string name;               // "NVIDIA H200"
  std::string computeCapability;  // "9.0"
  std::uint64_t memoryBytes = 0;
  unsigned multiprocessors = 0;
  std::vector<std::string> problems;  // sentences; empty if record() should work on it
};

struct GpuStatus {
  bool compiledIn = false;    // false: this build has no GPU engine
  std::string driverLibrary;  // the file that was loaded; empty: none
  std::string driverVersion;  // "580.159"; empty: unknown
  std::string cudaVersion;    // the newest CUDA the driver runs, "13.0"
  std::string nvrtcLibrary;   // the file that was loaded; empty: none
  std::string nvrtcVersion;   // "13.0"
  std::string cacheFolder;    // keeps compiled kernels; empty: none is usable
  std::uint64_t cacheBytes = 0;
  std::vector<GpuDescription> gpus;
  std::vector<std::string> problems;  // sentences; what is missing and what to do

  // A driver, an NVRTC and a GPU without problems are there.
  bool usable() const {
    return !nvrtcLibrary.empty() &&
           std::ranges::any_of(gpus, [](const GpuDescription& gpu) { return gpu.problems.empty(); });
  }
};

template <class Fields, Described<GpuDescription> Value>
constexpr void describe(Fields&& fields, Value& gpu) {
  fields("index", gpu.index);
  fields("name", gpu.name);
  fields("compute_capability", gpu.computeCapability);
  fields("memory_bytes", gpu.memoryBytes);
  fields("multiprocessors", gpu.multiprocessors);
  fields("problems", gpu.problems);
}

template <class Fields, Described<GpuStatus> Value>
constexpr void describe(Fields&& fields, Value& status) {
  fields("compiled_in", status.compiledIn);
  fields("driver_library", status.driverLibrary);
  fields("driver_version", status.driverVersion);
  fields("cuda_version", status.cudaVersion);
  fields("nvrtc_library", status.nvrtcLibrary);
  fields("nvrtc_version", status.nvrtcVersion);
  fields("cache_folder", status.cacheFolder);
  fields("cache_bytes", status.cacheBytes);
  fields("gpus", status.gpus);
  fields("problems", status.problems);
}

}  // namespace stridescope::engine
