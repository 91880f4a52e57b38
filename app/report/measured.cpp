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
#include "measure/group_series.h"
#include "measure/timing_rows.h"
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

// ---- Times of whole reductions.

namespace {

bool isRecorded(const measure::TimingSeries& series) {
  return series.source == measure::SeriesSource::Recorded;
}

std::string deviceText(const measure::TimingSeries& series) {
  std::string text = isRecorded(series) ? recordedOn(series.executor) : series.executor.device;
  if (series.gpus > 0) {
    text = fmt::format("{} x {}", series.gpus, text);
    if (const std::string links = narration::linksText(series.links); !links.empty()) text += "; " + links;
    if (const std::size_t nccl = series.executor.compiler.find("NCCL "); nccl != std::string::npos)
      text += "; " + series.executor.compiler.substr(nccl);
    return text;
  }
  if (series.ceiling) {
    text +=
        fmt::format("; peak read bandwidth (measured) {} GB/s, copy {} GB/s",
                    decimalText(series.ceiling->read.median, 0), decimalText(series.ceiling->copy.median, 0));
    if (series.ceiling->datasheet > 0)
      text += fmt::format(" of {} GB/s (theoretical)", decimalText(series.ceiling->datasheet, 0));
  }
  if (series.limits && series.limits->latencyNanoseconds > 0)
    text += fmt::format("; memory latency {} ns", decimalText(series.limits->latencyNanoseconds, 0));
  if (series.limits && series.limits->launchMicroseconds > 0)
    text += fmt::format("; an empty launch {} µs", decimalText(series.limits->launchMicroseconds, 2));
  return text;
}

std::string caseText(const model::TimingCase& timingCase) {
  std::string text = fmt::format("{} {}, {} elements", model::nameOf(timingCase.type),
                                 model::nameOf(timingCase.op), sizeText(timingCase.elements));
  if (timingCase.threads > 0) text += fmt::format(", {} threads per block", figure(timingCase.threads));
  if (timingCase.graph) text += ", as a CUDA graph";
  if (timingCase.warmL2) text += ", WARM L2: the same input again and again";
  return text;
}

std::string speedUp(const std::optional<measure::Ratio>& ratio) {
  return ratio && ratio->median > 0 ? decimalText(1 / ratio->median, 2) + "x" : "";
}

std::string ratioText(const std::optional<measure::Ratio>& ratio) {
  return ratio ? fmt::format("{} ({} to {})", decimalText(ratio->median, 3),
                             decimalText(ratio->interval.low, 3), decimalText(ratio->interval.high, 3))
               : "";
}

std::string intervalText(const measure::Summary& time) {
  return decimalText(time.medianInterval.low, 2) + " to " + decimalText(time.medianInterval.high, 2);
}

const std::vector<Column>& timeColumns() {
  static const std::vector<Column> all{
      {.isText = true, .width = 33, .gap = 2},
      {.heading = "median us", .width = 10},
      {.heading = "95 % interval", .isText = true, .width = 22, .gap = 2},
      {.heading = "GB/s", .width = 8},
      {.heading = "ceiling", .width = 7},
      {.heading = "to first", .width = 8},
      {.heading = "to prev.", .width = 8},
      {.heading = "time / CUB's time", .isText = true, .gap = 2},
  };
  return all;
}

// Over several GPUs.
const std::vector<Column>& groupColumns() {
  static const std::vector<Column> all{
      {.isText = true, .width = 33, .gap = 2},
      {.heading = "median us", .width = 10},
      {.heading = "95 % interval", .isText = true, .width = 22, .gap = 2},
      {.heading = "GB/s", .width = 8},
      {.heading = "time / one GPU's time", .isText = true, .width = 24, .gap = 2},
      {.heading = "time / NCCL's time", .isText = true, .gap = 2},
  };
  return all;
}

const std::vector<Column>& columnsOf(const measure::TimeRow& row) {
  return row.series->gpus > 0 ? groupColumns() : timeColumns();
}

std::string tableRow(const measure::TimeRow& row) {
  const measure::TimingPoint& point = *row.point;
  if (row.series->gpus > 0)
    return textLine(groupColumns(), {row.series->label, decimalText(point.time.median, 2),
                                     intervalText(point.time),
                                     decimalText(measure::gigabytesPerSecond(point), 1),
                                     ratioText(point.toOneGpu), ratioText(point.toNccl)}) +
           "\n";
  const double share = measure::shareOfCeiling(row);
  return textLine(timeColumns(),
                  {row.series->label, decimalText(point.time.median, 2), intervalText(point.time),
                   decimalText(measure::gigabytesPerSecond(point), 1),
                   share > 0 ? decimalText(100 * share, 1) + " %" : "", speedUp(point.toFirst),
                   speedUp(point.toPrevious), ratioText(point.toCub)}) +
         "\n";
}

std::array<double, 2> ends(const measure::Interval& interval) { return {interval.low, interval.high}; }

void writeRatio(JsonWriter& json, std::string_view name, const std::optional<measure::Ratio>& ratio) {
  if (!ratio) return json.member(name, nullptr);
  json.object(name, [&] {
    json.member("median", ratio->median);
    json.member("interval", ends(ratio->interval));
    json.member("pairs", ratio->pairs);
  });
}

// nullopt: it is not known.
std::optional<double> ifKnown(double figure) { return figure > 0 ? std::optional(figure) : std::nullopt; }

// Null for a figure that is not known.
void writeDevice(JsonWriter& json, const measure::TimingSeries& series) {
  constexpr std::array<std::string_view, 3> kFields{"compute_capability", "driver", "compiler"};
  const auto limit = [&](double model::GpuLimits::*figure) {
    return series.limits ? ifKnown(*series.limits.*figure) : std::nullopt;
  };
  std::optional<double> read, copy, datasheet;
  if (series.ceiling) {
    read = series.ceiling->read.median;
    copy = series.ceiling->copy.median;
    datasheet = ifKnown(series.ceiling->datasheet);
  }
  json.object("device", [&] {
    json.member("name", series.executor.device);
    writeFields(json, series.executor, kFields);
    json.member("recorded_on", isRecorded(series) ? std::optional(series.executor.recordedOn) : std::nullopt);
    json.member("read_ceiling_gigabytes_per_second", read);
    json.member("copy_ceiling_gigabytes_per_second", copy);
    json.member("datasheet_gigabytes_per_second", datasheet);
    json.member("latency_nanoseconds", limit(&model::GpuLimits::latencyNanoseconds));
    json.member("launch_microseconds", limit(&model::GpuLimits::launchMicroseconds));
  });
}

void writeRow(JsonWriter& json, const measure::TimeRow& row) {
  const measure::TimingSeries& series = *row.series;
  const measure::TimingPoint& point = *row.point;
  json.member("subject", series.subject.id);
  json.member("kind", model::nameOf(series.subject.kind));
  json.member("label", series.label);
  json.member("source", isRecorded(series) ? "recorded" : "live");
  writeDevice(json, series);
  json.member("type", model::nameOf(point.timingCase.type));
  json.member("op", model::nameOf(point.timingCase.op));
  json.member("elements", point.timingCase.elements);
  json.member("threads", point.threads > 0 ? std::optional(point.threads) : std::nullopt);
  json.member("graph", point.timingCase.graph);
  json.member("warm_l2", point.timingCase.warmL2);
  json.member("samples", point.time.count);
  json.member("least_us", point.time.least);
  json.member("lower_quartile_us", point.time.lowerQuartile);
  json.member("median_us", point.time.median);
  json.member("upper_quartile_us", point.time.upperQuartile);
  json.member("median_interval_us", ends(point.time.medianInterval));
  json.member("gigabytes_per_second", measure::gigabytesPerSecond(point));
  json.member("share_of_read_ceiling", ifKnown(measure::shareOfCeiling(row)));
  writeRatio(json, "time_over_cub", point.toCub);
  writeRatio(json, "time_over_first", point.toFirst);
  writeRatio(json, "time_over_previous", point.toPrevious);
  json.member("empty_us", ifKnown(point.emptyMicroseconds));
  if (series.gpus == 0) return;
  json.member("gpus", series.gpus);
  writeRatio(json, "time_over_one_gpu", point.toOneGpu);
  writeRatio(json, "time_over_nccl", point.toNccl);
  json.objects("links", series.links, [&](const model::GpuLink& link) { writeFields(json, link); });
}

}  // namespace

std::vector<std::string> payoffSentences(const measure::TimingSnapshot& snapshot) {
  const auto curveOf = [&](const measure::TimingSeries& series) {
    std::vector<analysis::SizedTime> curve;
    for (const measure::TimingPoint& point : series.points)
      if (point.timingCase.type == snapshot.plan.type && point.timingCase.op == snapshot.plan.op)
        curve.push_back({double(point.timingCase.elements), point.time.median});
    std::ranges::sort(curve, {}, &analysis::SizedTime::elements);
    return curve;
  };
  std::vector<std::string> sentences;
  for (const measure::TimingSeries& one : snapshot.series) {
    if (one.subject != measure::kOneGpu) continue;
    for (const measure::TimingSeries& several : snapshot.series) {
      if (several.gpus != one.gpus || several.source != one.source || several.subject == one.subject ||
          measure::leavesArrays(several.subject))
        continue;
      std::string sentence = narration::payoffSentence(analysis::payoffOf(curveOf(one), curveOf(several)),
                                                       several.gpus, several.label);
      if (!sentence.empty()) sentences.push_back(std::move(sentence));
    }
  }
  return sentences;
}

std::string timesText(const measure::TimingSnapshot& snapshot) {
  std::string text, timingCase, device;
  for (const measure::TimeRow& row : measure::timeRows(snapshot)) {
    if (const std::string here = caseText(row.point->timingCase); here != timingCase) {
      text += (text.empty() ? "" : "\n") + here + "\n";
      timingCase = here;
      device.clear();
    }
    if (const std::string by = deviceText(*row.series); by != device) {
      text += " " + by + "\n" + (device.empty() ? headLine(columnsOf(row)) + "\n" : "");
      device = by;
    }
    text += tableRow(row);
  }
  for (const std::string& sentence : payoffSentences(snapshot)) text += "\n" + sentence + "\n";
  return text;
}

void writeTimesJson(std::ostream& out, const measure::TimingSnapshot& snapshot) {
  JsonWriter json(out);
  json.object([&] {
    json.member("format", 1);
    json.member("notes", snapshot.notes);
    json.objects("timings", measure::timeRows(snapshot),
                 [&](const measure::TimeRow& row) { writeRow(json, row); });
    if (const auto sentences = payoffSentences(snapshot); !sentences.empty())
      json.member("sentences", sentences);
  });
  json.endLine();
}

}  // namespace stridescope::report
