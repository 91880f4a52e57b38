#include "cli/clocked_blocks.h"

#include <algorithm>

#include "engine/engine_name.h"

namespace stridescope::cli {

Result<ClockedBlocks> clockBlocks(const Context& context, unsigned gpu,
                                  std::span<const model::Experiment> experiments, engine::JobControl& job,
                                  const std::function<void(const model::Experiment&)>& report) {
  if (!context.services.timing.makeGpu) return unavailable("This program cannot clock a GPU.");
  auto device = context.services.timing.makeGpu(gpu, job);
  if (!device) return tl::unexpected(device.error());
  ClockedBlocks blocks;
  for (const model::Experiment& experiment : experiments) {
    if (report) report(experiment);
    for (const model::ClockedGrid company : model::kClockedGrids) {
      auto record = (*device)->clock(experiment, company, job);
      if (job.cancel) return cancelled();
      if (record)
        blocks.records.push_back(std::move(*record));
      else if (std::ranges::find(blocks.notes, record.error().sentence) == blocks.notes.end())
        blocks.notes.push_back(record.error().sentence);
    }
  }
  return blocks;
}

unsigned gpuOf(const std::string& engine) {
  const auto name = engine::parseEngineName(engine);
  return name && name->kind == engine::EngineNameKind::Gpu ? name->gpu : 0;
}

}  // namespace stridescope::cli
