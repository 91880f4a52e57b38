#include "engine/record_run.h"

#include <optional>
#include <utility>

#include "engine/engine_limits.h"
#include "engine/judge.h"
#include "kernels/described_arrays.h"
#include "kernels/run_plan.h"
#include "model/utc_now.h"

namespace stridescope::engine {
namespace {

void tell(const JobControl& job, float fraction, const std::string& doing) {
  if (job.progress) job.progress(fraction, doing);
}

// Where the plan's buffers lie, each as it is before the first launch.
Result<std::vector<std::uint64_t>> placeBuffers(Device& device, const kernels::RunPlan& plan,
                                                const model::Experiment& experiment) {
  std::vector<std::uint64_t> bytes;
  for (const kernels::PlannedBuffer& planned : plan.buffers) bytes.push_back(bytesOf(planned));
  auto addresses = device.allocate(bytes);
  if (!addresses) return addresses;
  for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
    const auto filled = fillBuffer(
        plan.buffers[i], (*addresses)[i], experiment,
        [&](std::uint64_t to, std::span<const std::uint8_t> data) { return device.write(to, data); });
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
    auto launch = device.launch(shape, argumentsOf(plan, shape, addresses), job, tellPart);
    if (!launch) return tl::unexpected(launch.error());
    launch->trace.elements = shape.elements;
    kernels::describeShared(trace.kernel, trace.experiment.type, launch->trace.recorded().shared);
    trace.launches.push_back(std::move(launch->trace));
    if (!launch->finished) return false;
    blocksBefore += double(shape.grid.count());
  }
  return true;
}

Result<std::vector<std::uint8_t>> fetch(Device& device, const kernels::RunPlan& plan, unsigned buffer,
                                        std::span<const std::uint64_t> addresses) {
  std::vector<std::uint8_t> bytes(resultElements(plan) * plan.buffers[buffer].elementBytes);
  if (!bytes.empty())
    if (const auto copied = device.read(addresses[buffer], bytes); !copied)
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

}  // namespace stridescope::engine
