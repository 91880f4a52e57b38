#include "measure/measured_runs.h"

#include <algorithm>

namespace stridescope::measure {

Result<ClockedBlocks> clockBlocks(TimingDevice& device, std::span<const model::Experiment> experiments,
                                  engine::JobControl& job,
                                  const std::function<void(const model::Experiment&)>& report) {
  ClockedBlocks blocks;
  for (const model::Experiment& experiment : experiments) {
    if (report) report(experiment);
    for (const model::ClockedGrid company : model::kClockedGrids) {
      auto record = device.clock(experiment, company, job);
      if (job.cancel) return cancelled();
      if (record)
        blocks.records.push_back(std::move(*record));
      else if (!device.isUsable())
        return tl::unexpected(record.error());
      else if (std::ranges::find(blocks.notes, record.error().sentence) == blocks.notes.end())
        blocks.notes.push_back(record.error().sentence);
    }
  }
  return blocks;
}

}  // namespace stridescope::measure
