#include "measure/gpu/variant_buffers.h"

#include "engine/run_data.h"
#include "kernels/catalog.h"

namespace stridescope::measure::gpu {

Result<std::unique_ptr<GpuBuffer>> filledBuffer(CleanRunner& runner, const kernels::PlannedBuffer& planned,
                                                const model::Experiment& experiment) {
  auto buffer = runner.allocate(engine::bytesOf(planned));
  if (!buffer) return buffer;
  const auto filled = engine::fillBuffer(
      planned, (*buffer)->address(), experiment,
      [&](std::uint64_t to, std::span<const std::uint8_t> bytes) { return runner.upload(to, bytes); });
  if (!filled) return tl::unexpected(filled.error());
  return buffer;
}

Result<VariantMemory> variantMemory(CleanRunner& runner, const kernels::RunPlan& plan,
                                    const model::Experiment& experiment) {
  VariantMemory memory;
  const bool inPlace = kernels::kernelOf(experiment)->takes(model::ParameterRole::InPlace);
  for (const kernels::PlannedBuffer& planned : plan.buffers) {
    auto buffer = filledBuffer(runner, planned, experiment);
    if (!buffer) return tl::unexpected(buffer.error());
    memory.addresses.push_back((*buffer)->address());
    memory.buffers.push_back(std::move(*buffer));
    const bool changes = planned.start == kernels::BufferStart::Identity ||
                         planned.start == kernels::BufferStart::Zero ||
                         (planned.start == kernels::BufferStart::Input && inPlace);
    if (!changes) continue;
    auto fresh = filledBuffer(runner, planned, experiment);
    if (!fresh) return tl::unexpected(fresh.error());
    memory.before.emplace_back(
        TimedCopy{memory.addresses.back(), (*fresh)->address(), engine::bytesOf(planned)});
    memory.buffers.push_back(std::move(*fresh));
  }
  return memory;
}

std::vector<TimedLaunch> emptyLaunches(const kernels::RunPlan& plan, CleanKernel& empty) {
  std::vector<TimedLaunch> launches;
  for (const kernels::LaunchShape& launch : plan.launches)
    launches.push_back(
        {.kernel = &empty, .grid = launch.grid, .block = launch.block, .sharedBytes = launch.sharedBytes});
  return launches;
}

TimedLaunch launchOn(const kernels::RunPlan& plan, const kernels::LaunchShape& launch, CleanKernel& kernel,
                     std::span<const std::uint64_t> addresses) {
  TimedLaunch timed{.kernel = &kernel,
                    .grid = launch.grid,
                    .block = launch.block,
                    .sharedBytes = launch.sharedBytes,
                    .arguments = {}};
  for (const engine::KernelArgument& argument : engine::argumentsOf(plan, launch, addresses))
    timed.arguments.push_back(argument.value);
  return timed;
}

}  // namespace stridescope::measure::gpu
