#include "session/exported_traces.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "archive/recording_file.h"

namespace stridescope::session {

Result<ExportedTraces> tracesOf(
    const ExportOrder& order,
    const std::function<Result<std::shared_ptr<engine::Engine>>(const std::string& id)>& makeEngine,
    engine::JobControl& job) {
  ExportedTraces all;
  for (const ExportedRun& each : order.runs) {
    all.traces.push_back(each.run->trace);
    const archive::Measured kept = lab::keptOf(each.measured);
    std::ranges::copy(kept.of<model::ClockRecord>(), std::back_inserter(all.clocks));
    std::ranges::copy(kept.of<model::CounterRecord>(), std::back_inserter(all.counters));
  }
  for (const model::Experiment& other : order.others) {
    const auto engine = makeEngine(order.engine);
    if (!engine) return tl::unexpected(engine.error());
    auto trace = (*engine)->record(other, job);
    if (!trace) return tl::unexpected(trace.error());
    all.traces.push_back(*std::move(trace));
  }
  return all;
}

}  // namespace stridescope::session
