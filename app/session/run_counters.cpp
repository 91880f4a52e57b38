#include "session/run_counters.h"

namespace stridescope::session {

RunCounters recordedCounters(const Run& run, const std::string& engineId, const SessionServices& services) {
  RunCounters counters;
  if (!services.counters) return counters;
  auto record =
      newestOf(services.counters(engineId, run.trace.experiment), model::hashOf(run.trace.kernelText));
  if (record && record->launches.size() == run.trace.launches.size()) counters.record = std::move(record);
  return counters;
}

}  // namespace stridescope::session
