#include "session/run_timeline.h"

#include <algorithm>

#include "session/run_record.h"

namespace stridescope::session {

std::shared_ptr<const MarkedGrid> markedGridOf(model::TimelineRecord record) {
  auto timeline = analysis::gridTimelineOf(record);
  return std::make_shared<const MarkedGrid>(MarkedGrid{std::move(record), std::move(timeline)});
}

RunTimeline recordedTimeline(const Run& run, const RecordedMeasurements& recorded) {
  RunTimeline timeline;
  if (!recorded.timelines) return timeline;
  const std::string hash = model::hashOf(run.trace.kernelText);
  std::vector<model::TimelineRecord> ofAnySize = recorded.timelines(run.trace.experiment);
  for (const model::TimelineRecord& each : ofAnySize)
    if (each.kernelHash == hash) timeline.sizes.push_back(each.experiment.elements);
  std::ranges::sort(timeline.sizes);
  timeline.sizes.erase(std::ranges::unique(timeline.sizes).begin(), timeline.sizes.end());
  std::erase_if(ofAnySize, [&](const model::TimelineRecord& each) {
    return !model::tellsOf(each, run.trace.experiment);
  });
  if (auto record = newestOf(std::move(ofAnySize), hash)) timeline.grid = markedGridOf(std::move(*record));
  return timeline;
}

}  // namespace stridescope::session
