#include "session/run_counters.h"

namespace stridescope::session {

RunCounters recordedCounters(const Run& run, const std::string& engineId, const SessionServices& services) {
  RunCounters counters;
  if (!services.counters) return counters;
  auto records = services.counters(engineId, run.trace.experiment);
  std::erase_if(records, [&](const model::CounterRecord& record) {
    return record.launches.size() != run.trace.launches.size();
  });
  counters.record = newestOf(std::move(records), model::hashOf(run.trace.kernelText));
  return counters;
}

}  // namespace stridescope::session
