#include "measure/gpu/variant_buffers.h"

#include "engine/run_data.h"

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
