#include "cli/clocking_gpu.h"

#include "engine/engine_name.h"

namespace stridescope::cli {

Result<measure::ClockedBlocks> clockBlocksOn(const Context& context, const std::string& engine,
                                             std::span<const model::Experiment> experiments,
                                             engine::JobControl& job,
                                             const std::function<void(const model::Experiment&)>& report) {
  if (!context.services.timing.makeGpu) return unavailable("This program cannot clock a GPU.");
  auto device = context.services.timing.makeGpu(engine::gpuOf(engine), job);
  if (!device) return tl::unexpected(device.error());
  return measure::clockBlocks(**device, experiments, job, report);
}

}  // namespace stridescope::cli
