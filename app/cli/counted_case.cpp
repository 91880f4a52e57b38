#include "cli/counted_case.h"

#include <algorithm>

#include "analysis/analysis.h"
#include "analysis/modelled_counters.h"
#include "engine/experiment_summary.h"

namespace stridescope::cli {

void leaveOutUncounted(measure::MeasuredRuns<model::CounterRecord>& runs) {
  std::erase_if(runs.records, [&](const model::CounterRecord& record) {
    const bool counted = std::ranges::any_of(
        record.launches, [](const model::LaunchCounters& launch) { return !launch.values.empty(); });
    if (!counted)
      runs.note("Nothing was counted of " + engine::summaryOf(record.experiment) +
                (record.launches.empty() ? ": it launches no kernel."
                                         : ": this GPU has none of the counters, or the driver gave none."));
    return !counted;
  });
}

CountedCase besideTheModel(model::CounterRecord record, engine::Engine& cpu, engine::JobControl& job,
                           std::string& why) {
  const auto trace = cpu.record(record.experiment, job);
  std::optional<analysis::Analysis> analysis;
  if (!trace)
    why = trace.error().sentence;
  else if (trace->launches.size() == record.launches.size())
    analysis = analysis::analyse(*trace);
  CountedCase counted{.record = std::move(record), .launches = {}};
  for (std::size_t i = 0; i < counted.record.launches.size(); ++i) {
    std::vector<CounterRow> rows;
    for (const model::Counter counter : model::kCounters) {
      CounterRow row{.counter = counter, .measured = counted.record.launches[i].find(counter)};
      if (analysis) row.modelled = analysis::modelled(counter, trace->launches[i], analysis->launches[i]);
      rows.push_back(row);
    }
    counted.launches.push_back(std::move(rows));
  }
  return counted;
}

}  // namespace stridescope::cli
