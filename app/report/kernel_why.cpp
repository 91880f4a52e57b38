#include "report/kernel_why.h"

#include "analysis/grid_timeline.h"
#include "measure/statistics.h"
#include "narration/why_sentences.h"

namespace stridescope::report {

analysis::ReductionCost costOf(const KernelWhy& why) {
  const KernelCall& call = why.times.call;
  const model::TimelineRecord& record = why.timeline.record;
  const measure::Summary whole = measure::summarize(why.times.whole);
  analysis::ReductionCost reduction;
  model::CostRecord& cost = reduction.cost;
  cost.experiment.variant = call.file;
  cost.experiment.threads = unsigned(call.block.count());
  cost.executor = why.times.executor;
  cost.limits.multiprocessors = record.multiprocessors;
  cost.runs = unsigned(why.times.whole.size());
  cost.microseconds = whole.median;
  cost.lowerQuartile = whole.lowerQuartile;
  cost.upperQuartile = whole.upperQuartile;
  cost.emptyMicroseconds = measure::summarize(why.times.empty).median;
  for (const model::LaunchTimeline& launch : record.launches)
    cost.launches.push_back(
        {.grid = launch.blocks.size(), .block = launch.block, .residentBlocks = launch.residentBlocks});
  if (const analysis::GridTimeline grid = analysis::gridTimelineOf(record); !grid.launches.empty())
    reduction.firstLaunch = grid.launches.front();
  if (why.counted) reduction.counters = why.counted->record;
  return reduction;
}

std::string kernelWhyText(const KernelWhy& why, const KernelWhy* before) {
  std::string text = kernelTimeText(why.times) + "\n" + kernelTimelineText(why.timeline);
  if (why.counted) text += "\n" + countersText({&*why.counted, 1});
  if (before != nullptr) text += "\n" + narration::changeText(costOf(*before), costOf(why));
  return text;
}

namespace {

void writeSide(JsonWriter& json, const KernelWhy& why) {
  const model::TimelineRecord& record = why.timeline.record;
  writeKernelCall(json, why.times.call);
  writeEngine(json, why.times.executor);
  json.member("microseconds", measure::summarize(why.times.whole).median);
  json.object("time", [&] { writeKernelTimes(json, why.times); });
  json.object("timeline", [&] {
    const analysis::GridTimeline grid = analysis::gridTimelineOf(record);
    writeMarking(json, record, grid);
    writeGridTimeline(json, record, grid);
  });
  if (why.counted)
    json.object("counters", [&] { writeCountedLaunches(json, *why.counted); });
  else
    json.member("counters", nullptr);
}

}  // namespace

void writeKernelWhyJson(std::ostream& out, const KernelWhy& why, const KernelWhy* before) {
  JsonWriter json(out);
  json.object([&] {
    json.member("format", 1);
    writeSide(json, why);
    if (before == nullptr) return;
    json.object("other", [&] { writeSide(json, *before); });
    writeChange(json, costOf(*before), costOf(why));
  });
  json.endLine();
}

}  // namespace stridescope::report
