#include "cli/timeline_report.h"

#include <fmt/format.h>

#include "analysis/grid_timeline.h"
#include "cli/experiment_json.h"
#include "engine/experiment_summary.h"
#include "narration/text_maps.h"
#include "narration/timeline_map.h"
#include "narration/timeline_sentence.h"
#include "narration/wording.h"

namespace stridescope::cli {
namespace {

narration::MeasuredFrom originOf(const model::TimelineRecord& record) {
  return record.executor.kind == model::EngineKind::Recorded ? narration::MeasuredFrom::Recording
                                                             : narration::MeasuredFrom::ThisRun;
}

std::string paragraph(const std::string& text) {
  return narration::wrapped(text, narration::kTextColumns) + "\n";
}

}  // namespace

std::string timelineText(const model::TimelineRecord& record) {
  const analysis::GridTimeline timeline = analysis::gridTimelineOf(record);
  std::string text =
      engine::summaryOf(record.experiment) + "\n" + paragraph(narration::markedRun(originOf(record), record));
  if (const std::string cost = narration::markingCost(record); !cost.empty()) text += paragraph(cost);
  for (std::size_t launch = 0; launch < record.launches.size(); ++launch)
    text += paragraph(narration::launchTimes(record, timeline, launch));
  return text + "\n" + narration::timelineMap(timeline);
}

void writeTimelineJson(std::ostream& out, const model::TimelineRecord& record) {
  const analysis::GridTimeline timeline = analysis::gridTimelineOf(record);
  JsonWriter json(out);
  json.beginObject();
  json.member("format", 1);
  writeRun(json, record.experiment, record.executor);
  json.member("grid", timeline.launches.front().blocks);
  json.member("threads", record.experiment.threads);
  json.member("multiprocessors", record.multiprocessors);
  json.member("runs", record.runs);
  json.member("microseconds_marked", record.markedMicroseconds);
  json.member("microseconds_clean", record.cleanMicroseconds);
  json.member("nanoseconds", timeline.nanoseconds);
  json.member("begin_known_within_nanoseconds", record.placedWithin);
  json.key("launches");
  json.beginArray();
  for (std::size_t i = 0; i < record.launches.size(); ++i) {
    const analysis::LaunchTimes& times = timeline.launches[i];
    json.beginObject();
    json.member("grid", times.blocks);
    json.member("threads", record.launches[i].block);
    json.member("resident_blocks_per_multiprocessor", times.residentBlocks);
    json.member("multiprocessors_used", times.used);
    json.member("waves", times.waves);
    json.member("start", times.time.begin);
    json.member("last_start", times.lastStart);
    json.member("end", times.time.end);
    json.endObject();
  }
  json.endArray();
  json.key("blocks");
  json.beginArray();
  for (const analysis::BlockBar& bar : timeline.bars) {
    json.breakLine();
    json.beginObject();
    json.member("launch", bar.launch);
    json.member("block", bar.block);
    json.member("multiprocessor", timeline.rows[bar.row].multiprocessor);
    json.member("slot", bar.slot);
    json.member("start", bar.time.begin);
    json.member("end", bar.time.end);
    json.endObject();
  }
  json.breakLine();
  json.endArray();
  json.endObject();
  json.endLine();
}

}  // namespace stridescope::cli
