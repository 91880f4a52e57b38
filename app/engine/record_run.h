// The orchestration of a run, the same on every device.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/engine.h"
#include "engine/reference.h"
#include "kernels/run_plan.h"
#include "model/trace.h"

namespace stridescope::engine {

// What a planned run starts from and what it leaves. Engines differ in where the memory is, not in
// what it holds.

// The whole buffer's size in bytes, or the largest number if it is larger still.
std::uint64_t bytesOf(const kernels::PlannedBuffer& buffer);

// Writes to a device's memory, from that address on.
using WriteBytes = std::function<Result<void>(std::uint64_t address, std::span<const std::uint8_t> bytes)>;

// Writes what the buffer at `address` holds before the first launch: the experiment's input or lists, the
// identity, zeros; of several devices the copy of one. The elements of an Unwritten buffer are left as they
// are. Fails as `write` does.
Result<void> fillBuffer(const kernels::PlannedBuffer& buffer, std::uint64_t address,
                        const model::Experiment& experiment, const WriteBytes& write, unsigned device = 0);

// One of a kernel's arguments: a device's memory of exactly `bytes` bytes, or a number passed by value.
struct KernelArgument {
  std::string name;  // the parameter's
  unsigned elementBytes = 4;
  std::uint64_t bytes = 0;
  std::uint64_t value = 0;  // the memory's address, or the number: a narrower parameter takes the low bytes
  // The addresses of all copies of the buffer, where there are several devices, each of which gets them in
  // the place of `value`; `of` says which. Empty: there is one device.
  std::vector<std::uint64_t> copies{};
  model::ParameterOf of = model::ParameterOf::Own;
  bool isBuffer = true;
  std::optional<model::ElementType> type{};  // the type of a buffer's elements; nullopt: unsigned numbers
  std::optional<model::ParameterRole> role{};
};

// The arguments of one of the plan's launches, in the order of the kernel's parameters, as the device gets
// them. `addresses` are those of the plan's buffers; of several devices those of the copies of each buffer,
// one buffer's after the other's.
std::vector<KernelArgument> argumentsOf(const kernels::RunPlan& plan, const kernels::LaunchShape& launch,
                                        std::span<const std::uint64_t> addresses, unsigned device = 0);
// The buffers among them, as a trace has them: the copies of several devices are one array.
std::vector<model::Array> buffersAmong(const std::vector<KernelArgument>& arguments);

// How many elements of the result's buffer (and of the origins') are copied back for valuesOf().
std::uint64_t resultElements(const kernels::RunPlan& plan);

// A person's own combine(a, b) on bits of the type.
using BitsCombine = std::function<std::uint64_t(std::uint64_t a, std::uint64_t b)>;

// What the run has left. `result`: resultElements() elements of the result's buffer, of each device one after
// another where the plan looks at all of them. `origin`: as many
// unsigned numbers of a merge's, else empty. `custom` is called where the CPU adds up what the blocks leave
// by a person's own operator.
RunValues valuesOf(const kernels::RunPlan& plan, const model::Experiment& experiment,
                   std::span<const std::uint8_t> result, std::span<const std::uint8_t> origin,
                   const BitsCombine& custom = {});

// What a machine must offer so that a run can be recorded on it: memory, and launches that leave a trace. It
// knows nothing of reductions; record_run.h does.

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

  // Makes the kernel ready for a legal experiment of it that the executor does not refuse
  // (experiment_check.h). Fails where this device has a limit of its own.
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

  // The same on several devices at once, with the arguments of each of them. A device that has no other
  // devices beside it, as most, fails.
  virtual Result<RecordedLaunch> launchOnAll(const kernels::LaunchShape& shape,
                                             const std::vector<std::vector<KernelArgument>>& arguments,
                                             JobControl& job,
                                             const std::function<void(double fraction)>& done);
};

// Checks the experiment, prepares its kernel, plans the run, fills the buffers, records launch after launch,
// and compares the result with the reference. A launch that does not finish is the last: the trace then has
// no result, and its note says why. Fails as the device does; with kind Usage for an experiment that is not
// legal or that the device refuses; with kind Cancelled once job.cancel is seen, at the latest before the
// next launch. Progress ascends, from 0 to at most 1.
Result<model::Trace> recordRun(Device& device, const model::Experiment& asked, JobControl& job);

}  // namespace stridescope::engine
