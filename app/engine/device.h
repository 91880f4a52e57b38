// What a machine must offer so that a run can be recorded on it: memory, and launches that leave a trace. It
// knows nothing of reductions; record_run.h does.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "engine/run_data.h"

namespace stridescope::engine {

// A kernel, ready to be launched.
struct PreparedKernel {
  std::string text, preamble;      // what runs, before it was instrumented
  std::vector<model::Site> sites;  // that its events name
  model::KernelModel model;        // what the text pass knows of the text
  BitsCombine combine{};           // a person's operator, where the CPU can call it
  float done = 0;                  // what preparing took of the whole run, 0 to 1, for the progress
};

struct RecordedLaunch {
  model::LaunchTrace trace;  // `elements` and the shared arrays' types are left to the caller
  bool finished = true;      // false: threads were stopped, and what the launch wrote is of no use
};

// Serves one run. The calls come in this order, from one thread. After a failure none follows.
class Device {
 public:
  virtual ~Device() = default;

  virtual model::Executor executor() const = 0;

  // Makes the kernel ready for a legal experiment of it that the executor does not refuse (engine_limits.h).
  // Fails where this device has a limit of its own.
  virtual Result<PreparedKernel> prepare(const model::Kernel& kernel, const model::Experiment& experiment,
                                         JobControl& job) = 0;

  // Memory for buffers of so many bytes: its addresses, as kernels use them. It lasts as long as the device.
  virtual Result<std::vector<std::uint64_t>> allocate(std::span<const std::uint64_t> bytes) = 0;
  // These copy to and from that memory, and return when they are done.
  virtual Result<void> write(std::uint64_t address, std::span<const std::uint8_t> bytes) = 0;
  virtual Result<void> read(std::uint64_t address, std::span<std::uint8_t> bytes) = 0;

  // Runs one launch to its end and records the inspected block. A launch that a limit or a fault of the
  // kernel stops is no failure: the trace's problems say why. `done`(fraction of the launch, 0 to 1) may be
  // called at any time before it returns. Fails with kind Cancelled if the job is cancelled meanwhile, where
  // the device can stop.
  virtual Result<RecordedLaunch> launch(const kernels::LaunchShape& shape,
                                        const std::vector<KernelArgument>& arguments, JobControl& job,
                                        const std::function<void(double fraction)>& done) = 0;
};

}  // namespace stridescope::engine
