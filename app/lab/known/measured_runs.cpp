#include "lab/known/measured_runs.h"

namespace stridescope::lab {

template <>
Result<MeasuredRuns<model::ClockRecord>> measureRuns(measure::TimingDevice& device,
                                                     std::span<const model::Experiment> experiments,
                                                     engine::JobControl& job, const Report& report) {
  MeasuredRuns<model::ClockRecord> runs;
  for (const model::Experiment& experiment : experiments) {
    if (report) report(experiment);
    for (const model::ClockedGrid company : model::kClockedGrids) {
      auto record = device.clock(experiment, company, job);
      if (job.cancel) return cancelled();
      if (record)
        runs.records.push_back(std::move(*record));
      else if (!device.isUsable())
        return tl::unexpected(record.error());
      else
        runs.note(std::move(record.error().sentence));
    }
  }
  return runs;
}

}  // namespace stridescope::lab
