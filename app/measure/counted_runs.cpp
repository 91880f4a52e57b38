#include "measure/counted_runs.h"

#include <algorithm>

namespace stridescope::measure {

Result<CountedRuns> countRuns(TimingDevice& device, std::span<const model::Experiment> experiments,
                              engine::JobControl& job,
                              const std::function<void(const model::Experiment&)>& report) {
  CountedRuns runs;
  for (const model::Experiment& experiment : experiments) {
    if (report) report(experiment);
    auto record = device.count(experiment, job);
    if (job.cancel) return cancelled();
    if (record) {
      runs.records.push_back(std::move(*record));
      continue;
    }
    // Of kind Usage is what this experiment alone does not have.
    if (record.error().kind != ErrorKind::Usage) return tl::unexpected(record.error());
    if (std::ranges::find(runs.notes, record.error().sentence) == runs.notes.end())
      runs.notes.push_back(record.error().sentence);
  }
  return runs;
}

}  // namespace stridescope::measure
