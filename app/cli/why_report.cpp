#include "cli/why_report.h"

#include "analysis/rung_change.h"
#include "cli/experiment_json.h"
#include "engine/experiment_summary.h"
#include "narration/why_sentences.h"

namespace stridescope::cli {
namespace {

narration::MeasuredFrom originOf(const model::Executor& executor) {
  return executor.kind == model::EngineKind::Recorded ? narration::MeasuredFrom::Recording
                                                      : narration::MeasuredFrom::ThisRun;
}

void writeLimits(JsonWriter& json, const model::GpuLimits& limits) {
  json.key("gpu");
  json.beginObject();
  json.member("multiprocessors", limits.multiprocessors);
  json.member("clock_megahertz", limits.clockMegahertz);
  json.member("read_gigabytes_per_second", limits.readGigabytesPerSecond);
  json.member("latency_nanoseconds", limits.latencyNanoseconds);
  json.member("launch_microseconds", limits.launchMicroseconds);
  json.endObject();
}

void writeParts(JsonWriter& json, const analysis::ReductionCost& reduction) {
  const analysis::TimeParts parts = analysis::timePartsOf(reduction);
  json.member("microseconds", parts.total);
  json.member("launching_microseconds", parts.launching);
  json.member("memory_microseconds", parts.memory);
  json.member("rest_microseconds", parts.rest());
  json.member("unexplained_microseconds", parts.unexplained());
  json.key("limits");
  json.beginArray();
  for (const analysis::Limit& limit : parts.limits) {
    json.beginObject();
    json.member("kind", analysis::nameOf(limit.kind));
    json.member("microseconds", limit.microseconds);
    json.endObject();
  }
  json.endArray();
  json.member("sentence", narration::whySentence(reduction, parts));
}

void writeChange(JsonWriter& json, const analysis::ReductionCost& before,
                 const analysis::ReductionCost& after) {
  const analysis::RungChange change = analysis::changeFrom(before, after);
  json.key("change");
  json.beginObject();
  json.member("from", before.cost.experiment.variant);
  json.member("from_threads", before.cost.experiment.threads);
  json.key("figures");
  json.beginObject();
  for (const analysis::Change& each : change.changes) {
    json.key(analysis::nameOf(each.figure));
    json.beginObject();
    json.member("before", each.before);
    json.member("after", each.after);
    json.member("factor", each.factor());
    json.endObject();
  }
  json.endObject();
  json.member("largest_cause", change.cause ? std::optional(analysis::nameOf(*change.cause)) : std::nullopt);
  json.member("saved_microseconds", change.saved);
  json.member("explained_microseconds", change.explained);
  json.member("sentence", narration::changeSentence(change));
  json.endObject();
}

}  // namespace

std::string whyReport(const analysis::ReductionCost& reduction, const analysis::ReductionCost* before) {
  return engine::summaryOf(reduction.cost.experiment) + "\n" +
         narration::whyText(originOf(reduction.cost.executor), reduction, before);
}

void writeWhyJson(std::ostream& out, const analysis::ReductionCost& reduction,
                  const analysis::ReductionCost* before) {
  JsonWriter json(out);
  json.beginObject();
  json.member("format", 1);
  writeRun(json, reduction.cost.experiment, reduction.cost.executor);
  writeLimits(json, reduction.cost.limits);
  writeParts(json, reduction);
  if (before != nullptr) writeChange(json, *before, reduction);
  json.endObject();
  json.endLine();
}

}  // namespace stridescope::cli
