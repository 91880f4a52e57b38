#include "session/run_counters.h"

namespace stridescope::session {

RunCounters recordedCounters(const Run& run, const std::string& engineId, const SessionServices& services) {
  RunCounters counters;
  if (!services.counters) return counters;
  const std::string hash = model::hashOf(run.trace.kernelText);
  for (model::CounterRecord& each : services.counters(engineId, run.trace.experiment)) {
    if (each.kernelHash != hash || each.launches.size() != run.trace.launches.size()) continue;
    if (!counters.record || counters.record->executor.recordedOn <= each.executor.recordedOn)
      counters.record = std::move(each);
  }
  return counters;
}

}  // namespace stridescope::session
