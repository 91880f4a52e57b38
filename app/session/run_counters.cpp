#include "session/run_counters.h"

namespace stridescope::session {

RunCounters recordedCounters(const Run& run, const RecordedMeasurements& recorded) {
  RunCounters counters;
  if (!recorded.counters) return counters;
  auto records = recorded.counters(run.trace.experiment);
  std::erase_if(records, [&](const model::CounterRecord& record) {
    return record.launches.size() != run.trace.launches.size();
  });
  counters.record = newestOf(std::move(records), model::hashOf(run.trace.kernelText));
  return counters;
}

}  // namespace stridescope::session
