#include "report/measured.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <utility>

#include "analysis/grid_timeline.h"
#include "base/numbers.h"
#include "engine/experiment_check.h"
#include "narration/measured_sentences.h"
#include "narration/why_sentences.h"
#include "narration/wording.h"
#include "report/json_writer.h"
#include "report/table.h"

namespace stridescope::report {
namespace {

narration::MeasuredFrom originOf(const model::Executor& executor) {
  return executor.kind == model::EngineKind::Recorded ? narration::MeasuredFrom::Recording
                                                      : narration::MeasuredFrom::ThisRun;
}

// ---- Counters.

const std::vector<Column>& counterColumns() {
  static const std::vector<Column> all{
      {.isText = true, .width = 36, .gap = 2},
      {.heading = "modelled", .width = 14},
      {.heading = "measured", .width = 14},
      {.heading = "difference", .isText = true, .gap = 2},
  };
  return all;
}

std::string amountText(const std::optional<double>& value, model::CounterUnit unit) {
  return value ? narration::counterAmount(*value, unit) : "-";
}

std::string_view unitName(model::CounterUnit unit) {
  switch (unit) {
    case model::CounterUnit::Bytes:
      return "bytes";
    case model::CounterUnit::Percent:
      return "percent";
    case model::CounterUnit::Warps:
      return "warps per issue";
    case model::CounterUnit::Count:
      break;
  }
  return "count";
}

// The value before a ratio above 100 % was capped.
std::optional<double> countedAs(const model::LaunchCounters& launch, const CounterRow& row) {
  const auto found = std::ranges::find(launch.values, row.counter, &model::CounterValue::counter);
  return found == launch.values.end() ? row.measured : std::optional(found->value);
}

std::string caseText(const CountedCase& counted) {
  const model::CounterRecord& record = counted.record;
  const bool recorded = originOf(record.executor) == narration::MeasuredFrom::Recording;
  std::string text =
      fmt::format("{}\n{}\n{}\n", counted.own ? calledAs(*counted.own) : engine::summaryOf(record.experiment),
                  recorded ? recordedOn(record.executor) : record.executor.device, narration::kWarm);
  for (std::size_t i = 0; i < counted.launches.size(); ++i) {
    const model::LaunchCounters& launch = record.launches[i];
    text += fmt::format("\nlaunch {} ({} in all): {} of {}\n", i, counted.launches.size(),
                        narration::count(launch.grid, "block"), narration::count(launch.block, "thread"));
    text += headLine(counterColumns()) + "\n";
    for (const CounterRow& row : counted.launches[i]) {
      const model::CounterFacts& facts = model::factsOf(row.counter);
      std::string line =
          textLine(counterColumns(), {std::string(facts.title), amountText(row.modelled, facts.unit),
                                      amountText(row.measured, facts.unit),
                                      narration::counterDifference(row.modelled, row.measured, facts.unit)});
      line.erase(line.find_last_not_of(' ') + 1);
      text += line + "\n";
    }
    if (const std::string capped = narration::cappedRatios(launch); !capped.empty())
      text += paragraph(capped);
  }
  return text;
}

void writeCounter(JsonWriter& json, const model::LaunchCounters& launch, const CounterRow& row) {
  const model::CounterFacts& facts = model::factsOf(row.counter);
  json.object(facts.id, [&] {
    json.member("metric", facts.metric);
    json.member("unit", unitName(facts.unit));
    json.member("modelled", row.modelled);
    json.member("measured", row.measured);
    if (const auto counted = countedAs(launch, row); counted != row.measured) json.member("counted", counted);
  });
}

// Calls visit(case, launch, row, why) for each counter that has both values; `why` is what is known of their
// difference.
template <class Visit>
void forEachCompared(std::span<const CountedCase> cases, const Visit& visit) {
  for (const CountedCase& each : cases)
    for (std::size_t launch = 0; launch < each.launches.size(); ++launch)
      for (const CounterRow& row : each.launches[launch])
        if (row.isCompared())
          visit(each, launch, row,
                row.isEqual() ? "" : narration::knownDifference(each.record.experiment.variant, row.counter));
}

}  // namespace

std::string recordedOn(const model::Executor& executor) {
  return fmt::format("recorded on {}, {}", executor.device,
                     executor.recordedOn.substr(0, executor.recordedOn.find('T')));
}

CounterTotals totalsOf(std::span<const CountedCase> cases) {
  CounterTotals totals;
  forEachCompared(cases, [&](const auto&, std::size_t, const CounterRow& row, const std::string& why) {
    ++totals.compared;
    totals.equal += row.isEqual();
    totals.known += !why.empty();
  });
  return totals;
}

std::string countersText(std::span<const CountedCase> cases) {
  std::string text;
  for (const CountedCase& each : cases) text += caseText(each) + "\n";
  const CounterTotals totals = totalsOf(cases);
  return text +
         fmt::format("{} of {} modelled counters equal\n", figure(totals.equal), figure(totals.compared));
}

void writeCountedLaunches(JsonWriter& json, const CountedCase& counted) {
  std::size_t number = 0;
  json.objects("launches", counted.launches, [&](const std::vector<CounterRow>& rows) {
    const model::LaunchCounters& launch = counted.record.launches[number++];
    json.member("grid", launch.grid);
    json.member("threads", launch.block);
    json.object("counters", [&] {
      for (const CounterRow& row : rows) writeCounter(json, launch, row);
    });
  });
}

void writeCountersJson(std::ostream& out, std::span<const CountedCase> cases) {
  JsonWriter json(out);
  json.object([&] {
    json.member("format", 1);
    json.objectLines("cases", cases, [&](const CountedCase& each) {
      if (each.own) {
        writeKernelCall(json, *each.own);
        writeEngine(json, each.record.executor);
      } else {
        writeRun(json, each.record.experiment, each.record.executor);
      }
      writeCountedLaunches(json, each);
    });
    const CounterTotals totals = totalsOf(cases);
    json.object("totals", [&] {
      json.member("compared", totals.compared);
      json.member("equal", totals.equal);
    });
  });
  json.endLine();
}

std::string differencesText(std::span<const CountedCase> cases, std::size_t missing, std::size_t asked) {
  std::string text;
  std::set<std::pair<std::string, model::Counter>> told;
  forEachCompared(cases, [&](const CountedCase& each, std::size_t launch, const CounterRow& row,
                             const std::string& why) {
    if (row.isEqual()) return;
    if (!why.empty() && !told.emplace(each.record.experiment.variant, row.counter).second) return;
    const model::CounterFacts& facts = model::factsOf(row.counter);
    text += fmt::format(
        "{}, launch {}: {} modelled {}, measured {}{}\n", engine::summaryOf(each.record.experiment), launch,
        facts.title, narration::counterAmount(*row.modelled, facts.unit),
        narration::counterAmount(*row.measured, facts.unit), why.empty() ? ": DIFFERENT" : ". Known: " + why);
  });
  const CounterTotals totals = totalsOf(cases);
  return text +
         fmt::format(
             "{} of {} equal{}{}{}\n", figure(totals.equal), figure(totals.compared),
             totals.known == 0 ? "" : fmt::format(", {} known to differ", figure(totals.known)),
             totals.unknown() == 0 ? "" : fmt::format(", {} DIFFERENT", figure(totals.unknown())),
             missing == 0 ? "" : fmt::format("; {} of {} not compared", figure(missing), figure(asked)));
}

// ---- A reduction's blocks in time.

std::string timelineText(const model::TimelineRecord& record) {
  const analysis::GridTimeline timeline = analysis::gridTimelineOf(record);
  std::string text = engine::summaryOf(record.experiment) + "\n" +
                     paragraph(narration::markedRun(originOf(record.executor), record));
  if (const std::string cost = narration::markingCost(record); !cost.empty()) text += paragraph(cost);
  for (std::size_t launch = 0; launch < record.launches.size(); ++launch)
    text += paragraph(narration::launchTimes(record, timeline, launch));
  return text + "\n" + narration::timelineMap(timeline);
}

void writeMarking(JsonWriter& json, const model::TimelineRecord& record,
                  const analysis::GridTimeline& timeline) {
  json.member("multiprocessors", record.multiprocessors);
  json.member("runs", record.runs);
  json.member("microseconds_marked", record.markedMicroseconds);
  json.member("microseconds_clean", record.cleanMicroseconds);
  json.member("nanoseconds", timeline.nanoseconds);
}

void writeGridTimeline(JsonWriter& json, const model::TimelineRecord& record,
                       const analysis::GridTimeline& timeline) {
  std::size_t number = 0;
  json.objects("launches", timeline.launches, [&](const analysis::LaunchTimes& times) {
    json.member("grid", times.blocks);
    json.member("threads", record.launches[number++].block);
    json.member("resident_blocks_per_multiprocessor", times.residentBlocks);
    json.member("multiprocessors_used", times.used);
    json.member("waves", times.waves);
    json.member("start", times.time.begin);
    json.member("last_start", times.lastStart);
    json.member("end", times.time.end);
  });
  json.objectLines("blocks", timeline.bars, [&](const analysis::BlockBar& bar) {
    json.member("launch", bar.launch);
    json.member("block", bar.block);
    json.member("multiprocessor", timeline.rows[bar.row].multiprocessor);
    json.member("slot", bar.slot);
    json.member("start", bar.time.begin);
    json.member("end", bar.time.end);
  });
}

void writeTimelineJson(std::ostream& out, const model::TimelineRecord& record) {
  const analysis::GridTimeline timeline = analysis::gridTimelineOf(record);
  JsonWriter json(out);
  json.object([&] {
    json.member("format", 1);
    writeRun(json, record.experiment, record.executor);
    json.member("grid", timeline.launches.front().blocks);
    json.member("threads", record.experiment.threads);
    writeMarking(json, record, timeline);
    json.member("begin_known_within_nanoseconds", record.placedWithin);
    writeGridTimeline(json, record, timeline);
  });
  json.endLine();
}

// ---- What a time is made of.

namespace {

void writeTime(JsonWriter& json, const analysis::ReductionCost& reduction) {
  json.member("microseconds", reduction.cost.microseconds);
  json.objects("bounds", analysis::boundsOf(reduction), [&](const analysis::Bound& bound) {
    json.member("kind", analysis::nameOf(bound.kind));
    json.member("microseconds", bound.microseconds);
  });
  if (reduction.prices) writePeel(json, *reduction.prices);
  json.member("sentence", narration::whySentence(reduction));
}

}  // namespace

void writeChange(JsonWriter& json, const analysis::ReductionCost& before,
                 const analysis::ReductionCost& after) {
  const analysis::RungChange change = analysis::changeFrom(before, after);
  json.object("change", [&] {
    json.member("from", before.cost.experiment.variant);
    json.member("from_threads", before.cost.experiment.threads);
    json.object("figures", [&] {
      for (const analysis::Change& each : change.changes)
        json.object(analysis::nameOf(each.figure), [&] {
          json.member("before", each.before);
          json.member("after", each.after);
          json.member("factor", each.factor());
        });
    });
    json.objects("steps", change.steps, [&](const analysis::StepDifference& step) {
      writeStep(json, step);
      json.member("before_us", step.before);
      json.member("after_us", step.after);
      json.member("change_us", step.change);
      json.member("low", step.low);
      json.member("high", step.high);
    });
    json.objects("largest", change.largest,
                 [&](const analysis::StepDifference& step) { writeStep(json, step); });
    json.objects("against", change.against,
                 [&](const analysis::StepDifference& step) { writeStep(json, step); });
    json.member("saved_microseconds", change.saved);
    json.member("ratio", change.ratio);
    json.member("ratio_low", change.ratioLow);
    json.member("ratio_high", change.ratioHigh);
    json.member("sentence", narration::changeSentence(change));
  });
}

std::string whyText(const analysis::ReductionCost& reduction, const analysis::ReductionCost* before) {
  return engine::summaryOf(reduction.cost.experiment) + "\n" +
         narration::whyText(originOf(reduction.cost.executor), reduction, before);
}

void writeWhyJson(std::ostream& out, const analysis::ReductionCost& reduction,
                  const analysis::ReductionCost* before) {
  JsonWriter json(out);
  json.object([&] {
    json.member("format", 1);
    writeRun(json, reduction.cost.experiment, reduction.cost.executor);
    json.object("gpu", [&] { writeFields(json, reduction.cost.limits); });
    writeTime(json, reduction);
    if (before != nullptr) writeChange(json, *before, reduction);
  });
  json.endLine();
}

}  // namespace stridescope::report
