#include "engine/record_run.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

#include "engine/experiment_check.h"
#include "engine/reference.h"
#include "kernels/described_arrays.h"
#include "kernels/run_plan.h"
#include "model/arithmetic.h"
#include "model/quantity.h"

namespace stridescope::engine {
namespace {

void tell(const JobControl& job, float fraction, const std::string& doing) {
  if (job.progress) job.progress(fraction, doing);
}

// Where the plan's buffers lie, each as it is before the first launch.
Result<std::vector<std::uint64_t>> placeBuffers(Device& device, const kernels::RunPlan& plan,
                                                const model::Experiment& experiment) {
  std::vector<std::uint64_t> bytes;
  for (const kernels::PlannedBuffer& planned : plan.buffers)
    bytes.insert(bytes.end(), plan.devices, bytesOf(planned));
  auto addresses = device.allocate(bytes);
  if (!addresses) return addresses;
  for (std::size_t i = 0; i < addresses->size(); ++i) {
    const auto filled = fillBuffer(
        plan.buffers[i / plan.devices], (*addresses)[i], experiment,
        [&](std::uint64_t to, std::span<const std::uint8_t> data) { return device.write(to, data); },
        unsigned(i % plan.devices));
    if (!filled) return tl::unexpected(filled.error());
  }
  return addresses;
}

// False if a launch did not finish: it is the trace's last.
Result<bool> recordLaunches(Device& device, const kernels::RunPlan& plan, const PreparedKernel& kernel,
                            std::span<const std::uint64_t> addresses, JobControl& job, model::Trace& trace) {
  const std::string where =
      trace.executor.kind == model::EngineKind::Host ? "the CPU executor" : trace.executor.device;
  double totalBlocks = 0, blocksBefore = 0;
  for (const kernels::LaunchShape& shape : plan.launches) totalBlocks += double(shape.grid.count());
  for (const kernels::LaunchShape& shape : plan.launches) {
    if (job.cancel) return cancelled();
    const std::string doing = "Launch " + std::to_string(trace.launches.size() + 1) + " of " +
                              std::to_string(plan.launches.size()) + " on " + where;
    const auto tellPart = [&](double fraction) {
      const double part = (blocksBefore + fraction * double(shape.grid.count())) / totalBlocks;
      tell(job, kernel.done + (1 - kernel.done) * float(part), doing);
    };
    tellPart(0);
    std::vector<std::vector<KernelArgument>> arguments;
    for (unsigned each = 0; each < plan.devices; ++each)
      arguments.push_back(argumentsOf(plan, shape, addresses, each));
    auto launch = plan.devices == 1 ? device.launch(shape, arguments.front(), job, tellPart)
                                    : device.launchOnAll(shape, arguments, job, tellPart);
    if (!launch) return tl::unexpected(launch.error());
    launch->trace.elements = shape.elements;
    for (model::BlockTrace& block : launch->trace.blocks)
      kernels::describeShared(trace.kernel, trace.experiment.type, block.shared);
    trace.launches.push_back(std::move(launch->trace));
    if (!launch->finished) return false;
    blocksBefore += double(shape.grid.count());
  }
  return true;
}

Result<std::vector<std::uint8_t>> fetch(Device& device, const kernels::RunPlan& plan, unsigned buffer,
                                        std::span<const std::uint64_t> addresses) {
  const unsigned devices = plan.looksAtAllDevices() ? plan.devices : 1;
  const std::uint64_t each = resultElements(plan) * plan.buffers[buffer].elementBytes;
  std::vector<std::uint8_t> bytes(devices * each);
  for (unsigned copy = 0; copy < devices && each > 0; ++copy)
    if (const auto copied = device.read(addresses[std::size_t(buffer) * plan.devices + copy],
                                        std::span(bytes).subspan(copy * each, each));
        !copied)
      return tl::unexpected(copied.error());
  return bytes;
}

}  // namespace

Result<model::Trace> recordRun(Device& device, const model::Experiment& asked, JobControl& job) {
  const auto experiment = runnableExperiment(device.executor(), asked);
  if (!experiment) return tl::unexpected(experiment.error());
  const model::Kernel& toRun = *kernels::kernelOf(*experiment);
  auto kernel = device.prepare(toRun, *experiment, job);
  if (!kernel) return tl::unexpected(kernel.error());
  if (job.cancel) return cancelled();

  model::Trace trace;
  trace.experiment = *experiment;
  trace.kernelText = std::move(kernel->text);
  trace.preamble = std::move(kernel->preamble);
  trace.executor = device.executor();
  trace.executor.recordedOn = model::utcNow();
  trace.sites = std::move(kernel->sites);
  trace.kernel = std::move(kernel->model);

  const kernels::RunPlan plan = kernels::planRun(toRun, *experiment);
  tell(job, kernel->done, "Copying the input");
  const auto addresses = placeBuffers(device, plan, *experiment);
  if (!addresses) return tl::unexpected(addresses.error());
  const auto finished = recordLaunches(device, plan, *kernel, *addresses, job, trace);
  if (!finished) return tl::unexpected(finished.error());

  const auto result = fetch(device, plan, plan.result, *addresses);
  if (!result) return tl::unexpected(result.error());
  Result<std::vector<std::uint8_t>> origin;
  if (plan.origin) origin = fetch(device, plan, *plan.origin, *addresses);
  if (!origin) return tl::unexpected(origin.error());
  judge(trace, *finished ? std::optional(valuesOf(plan, *experiment, *result, *origin, kernel->combine))
                         : std::nullopt);
  return trace;
}

namespace {

// The low bytes of each number, one after another.
void append(std::vector<std::uint8_t>& bytes, std::uint64_t number, unsigned width) {
  for (unsigned i = 0; i < width; ++i) bytes.push_back(std::uint8_t(number >> (8 * i)));
}

std::uint64_t elementAt(std::span<const std::uint8_t> bytes, std::size_t index, unsigned width) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes.data() + index * width, width);  // little-endian
  return bits;
}

// `given` elements as bits, then the identity up to the buffer's room.
std::vector<std::uint8_t> filledUp(const kernels::PlannedBuffer& buffer, const model::Experiment& experiment,
                                   std::uint64_t fromElement) {
  std::vector<std::uint8_t> bytes;
  const unsigned width = model::bytesOf(experiment.type);
  const std::uint64_t identity = identityOf(experiment);
  bytes.reserve((buffer.room - fromElement) * width);
  for (std::uint64_t i = fromElement; i < buffer.room; ++i) append(bytes, identity, width);
  return bytes;
}

// What is written to a buffer before the first launch: `bytes`, from byte `from` on.
struct InitialBytes {
  std::uint64_t from = 0;
  std::vector<std::uint8_t> bytes;
};

InitialBytes listBytes(const kernels::PlannedBuffer& buffer, const model::Experiment& experiment) {
  const SortedLists lists = listsOf(experiment);
  InitialBytes initial;
  if (buffer.start != kernels::BufferStart::ListStarts) {
    const bool interleaved = buffer.start == kernels::BufferStart::InterleavedLists;
    for (std::uint64_t value : interleaved ? interleavedValues(lists) : lists.values)
      append(initial.bytes, value, model::bytesOf(experiment.type));
    return initial;
  }
  for (std::uint64_t i = 0; i < buffer.room; ++i)
    append(initial.bytes, lists.starts[std::min<std::size_t>(i, lists.starts.size() - 1)], 4);
  return initial;
}

InitialBytes initialBytes(const kernels::PlannedBuffer& buffer, const model::Experiment& experiment,
                          unsigned device) {
  switch (buffer.start) {
    case kernels::BufferStart::Input:
      return {0, makeInput(experiment, buffer.room, device)};
    case kernels::BufferStart::Unwritten:
      if (!buffer.type) return {};
      return {buffer.elements * model::bytesOf(experiment.type),
              filledUp(buffer, experiment, buffer.elements)};
    case kernels::BufferStart::Identity:
      return {0, filledUp(buffer, experiment, 0)};
    case kernels::BufferStart::Zero:
      return {0, std::vector<std::uint8_t>(buffer.room * buffer.elementBytes)};
    case kernels::BufferStart::Lists:
    case kernels::BufferStart::InterleavedLists:
    case kernels::BufferStart::ListStarts:
      return listBytes(buffer, experiment);
  }
  return {};
}

std::uint64_t combined(const model::Experiment& experiment, std::uint64_t a, std::uint64_t b,
                       const BitsCombine& custom) {
  return custom ? custom(a, b) : model::combineBits(experiment.type, experiment.op, a, b);
}

}  // namespace

Result<RecordedLaunch> Device::launchOnAll(const kernels::LaunchShape&,
                                           const std::vector<std::vector<KernelArgument>>&, JobControl&,
                                           const std::function<void(double fraction)>&) {
  return usageError("Several GPUs are stepped on the CPU executor, which has simulated devices.");
}

std::uint64_t bytesOf(const kernels::PlannedBuffer& buffer) {
  constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();
  return buffer.room > kMax / buffer.elementBytes ? kMax : buffer.room * buffer.elementBytes;
}

Result<void> fillBuffer(const kernels::PlannedBuffer& buffer, std::uint64_t address,
                        const model::Experiment& experiment, const WriteBytes& write, unsigned device) {
  const InitialBytes initial = initialBytes(buffer, experiment, device);
  if (initial.bytes.empty()) return {};
  return write(address + initial.from, initial.bytes);
}

std::vector<KernelArgument> argumentsOf(const kernels::RunPlan& plan, const kernels::LaunchShape& launch,
                                        std::span<const std::uint64_t> addresses, unsigned device) {
  std::vector<KernelArgument> arguments;
  for (const kernels::PlannedArgument& planned : launch.arguments) {
    KernelArgument& argument = arguments.emplace_back();
    argument.name = planned.parameter.name;
    argument.isBuffer = planned.buffer.has_value();
    argument.value = planned.numberOf(device);
    argument.of = planned.parameter.of;
    if (!planned.buffer) continue;
    const kernels::PlannedBuffer& buffer = plan.buffers[*planned.buffer];
    argument.elementBytes = buffer.elementBytes;
    argument.bytes = planned.elements * buffer.elementBytes;
    const auto copies = addresses.subspan(std::size_t(*planned.buffer) * plan.devices, plan.devices);
    argument.value = copies[argument.of == model::ParameterOf::Own ? device : 0];
    if (plan.devices > 1) argument.copies.assign(copies.begin(), copies.end());
    argument.type = buffer.type;
    argument.role = planned.parameter.role;
  }
  return arguments;
}

std::vector<model::Array> buffersAmong(const std::vector<KernelArgument>& arguments) {
  std::vector<model::Array> buffers;
  for (const KernelArgument& argument : arguments)
    if (argument.isBuffer) {
      model::Array& buffer = buffers.emplace_back();
      buffer.name = argument.name;
      buffer.elementBytes = argument.elementBytes;
      buffer.devices = unsigned(std::max<std::size_t>(1, argument.copies.size()));
      buffer.bytes = argument.bytes * buffer.devices;
      buffer.type = argument.type;
      buffer.role = argument.role;
    }
  return buffers;
}

std::uint64_t resultElements(const kernels::RunPlan& plan) {
  return plan.outcome == kernels::Outcome::OneValue ? 1 : plan.buffers[plan.result].elements;
}

RunValues valuesOf(const kernels::RunPlan& plan, const model::Experiment& experiment,
                   std::span<const std::uint8_t> result, std::span<const std::uint8_t> origin,
                   const BitsCombine& custom) {
  const unsigned width = model::bytesOf(experiment.type);
  RunValues run;
  if (plan.outcome == kernels::Outcome::Merged) {
    run.origins.emplace();
    for (std::size_t i = 0; i < resultElements(plan); ++i) {
      run.values.push_back(elementAt(result, i, width));
      run.origins->push_back(std::uint32_t(elementAt(origin, i, 4)));
    }
    return run;
  }
  const std::uint64_t elements = resultElements(plan) * (plan.looksAtAllDevices() ? plan.devices : 1);
  if (plan.outcome == kernels::Outcome::Arrays) {
    for (std::uint64_t i = 0; i < elements; ++i) run.values.push_back(elementAt(result, i, width));
    return run;
  }
  std::uint64_t bits = elementAt(result, 0, width);
  if (plan.outcome == kernels::Outcome::AddedOnTheCpu)
    for (std::uint64_t i = 1; i < elements; ++i)
      bits = combined(experiment, bits, elementAt(result, i, width), custom);
  run.values.push_back(bits);
  return run;
}

}  // namespace stridescope::engine
