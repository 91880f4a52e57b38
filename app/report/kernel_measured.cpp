#include "report/kernel_measured.h"

#include <fmt/format.h>

#include <array>

#include "analysis/grid_timeline.h"
#include "base/numbers.h"
#include "base/plain_text.h"
#include "measure/statistics.h"
#include "narration/measured_sentences.h"
#include "narration/wording.h"
#include "report/measured.h"
#include "report/table.h"

namespace stridescope::report {
namespace {

std::string spreadText(const measure::Summary& summary) {
  return fmt::format("{:.2f} us (median of {}; quartiles {:.2f} and {:.2f})", summary.median,
                     figure(summary.count), summary.lowerQuartile, summary.upperQuartile);
}

void writeSpread(JsonWriter& json, std::string_view name, const measure::Summary& summary) {
  json.object(name, [&] {
    json.member("median", summary.median);
    json.member("low", summary.lowerQuartile);
    json.member("high", summary.upperQuartile);
  });
}

}  // namespace

std::string calledAs(const KernelCall& call) {
  std::string text = call.name;
  if (!call.templateArguments.empty()) text += "<" + call.templateArguments + ">";
  text += "<<<" + model::text(call.grid) + ", " + model::text(call.block);
  if (call.sharedBytes > 0) text += ", " + std::to_string(call.sharedBytes);
  return text + ">>> of " + printable(call.file);
}

void writeKernelCall(JsonWriter& json, const KernelCall& call) {
  const auto shape = [](const model::Dim3& size) {
    return std::array{size.x, std::uint64_t(size.y), std::uint64_t(size.z)};
  };
  json.object("kernel", [&] {
    json.member("file", call.file);
    json.member("name", call.name);
    json.member("template", call.templateArguments);
    json.member("grid", shape(call.grid));
    json.member("block", shape(call.block));
    json.member("shared", call.sharedBytes);
  });
}

std::string kernelTimeText(const KernelTimes& times) {
  const measure::Summary whole = measure::summarize(times.whole), empty = measure::summarize(times.empty);
  std::string text = paragraph(calledAs(times.call) + ", timed on " + printable(times.executor.device));
  text += "kernel         " + spreadText(whole) + "\n";
  text += "empty kernel   " + spreadText(empty) + "\n";
  return text + paragraph((times.launches == 1
                               ? std::string("A time is from an event before the launch to one behind it; ")
                               : "A time is from an event before the first of " + figure(times.launches) +
                                     " launches to one behind the last; ") +
                          "the empty kernel has the same grid and block and does nothing. The arrays are set "
                          "back before each "
                          "run, outside the time, so that they lie in L2 where they fit.");
}

void writeKernelTimes(JsonWriter& json, const KernelTimes& times) {
  json.member("launches", times.launches);
  json.member("samples", times.whole.size());
  writeSpread(json, "us", measure::summarize(times.whole));
  writeSpread(json, "empty_us", measure::summarize(times.empty));
}

void writeKernelTimeJson(std::ostream& out, const KernelTimes& times) {
  JsonWriter json(out);
  json.object([&] {
    json.member("format", 1);
    writeKernelCall(json, times.call);
    writeEngine(json, times.executor);
    writeKernelTimes(json, times);
  });
  json.endLine();
}

std::string kernelTimelineText(const KernelTimeline& timeline) {
  const model::TimelineRecord& record = timeline.record;
  const analysis::GridTimeline grid = analysis::gridTimelineOf(record);
  std::string text = paragraph(fmt::format(
      "{}, marked on {}, {} SMs: the run with the median time of {}. Its launches take {:.2f} us "
      "with a mark of each block, and {:.2f} us without. Times are since the first block's start.",
      calledAs(timeline.call), printable(record.executor.device), figure(record.multiprocessors),
      figure(record.runs), record.markedMicroseconds, record.cleanMicroseconds));
  if (const std::string cost = narration::markingCost(record); !cost.empty()) text += paragraph(cost);
  for (std::size_t launch = 0; launch < record.launches.size(); ++launch)
    text += paragraph(narration::launchTimes(record, grid, launch));
  return text + "\n" + narration::timelineMap(grid);
}

void writeKernelTimelineJson(std::ostream& out, const KernelTimeline& timeline) {
  const model::TimelineRecord& record = timeline.record;
  const analysis::GridTimeline grid = analysis::gridTimelineOf(record);
  JsonWriter json(out);
  json.object([&] {
    json.member("format", 1);
    writeKernelCall(json, timeline.call);
    writeEngine(json, record.executor);
    writeMarking(json, record, grid);
    writeGridTimeline(json, record, grid);
  });
  json.endLine();
}

}  // namespace stridescope::report
