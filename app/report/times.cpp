// Times of whole reductions, as text and as JSON.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "base/numbers.h"
#include "measure/group_series.h"
#include "measure/timing_rows.h"
#include "narration/why_sentences.h"
#include "report/json_writer.h"
#include "report/measured.h"
#include "report/table.h"

namespace stridescope::report {

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

// What every table of times begins with, and `others`.
std::vector<Column> withTimes(const std::vector<Column>& others) {
  std::vector<Column> all{
      {.isText = true, .width = 33, .gap = 2},
      {.heading = "median us", .width = 10},
      {.heading = "95 % interval", .isText = true, .width = 22, .gap = 2},
      {.heading = "GB/s", .width = 8},
  };
  all.insert(all.end(), others.begin(), others.end());
  return all;
}

const std::vector<Column>& timeColumns() {
  static const std::vector<Column> all = withTimes({
      {.heading = "ceiling", .width = 7},
      {.heading = "to first", .width = 8},
      {.heading = "to prev.", .width = 8},
      {.heading = "time / CUB's time", .isText = true, .gap = 2},
  });
  return all;
}

// Over several GPUs.
const std::vector<Column>& groupColumns() {
  static const std::vector<Column> all = withTimes({
      {.heading = "time / one GPU's time", .isText = true, .width = 24, .gap = 2},
      {.heading = "time / NCCL's time", .isText = true, .gap = 2},
  });
  return all;
}

const std::vector<Column>& columnsOf(const measure::TimeRow& row) {
  return row.series->gpus > 0 ? groupColumns() : timeColumns();
}

std::string tableRow(const measure::TimeRow& row) {
  const measure::TimingPoint& point = *row.point;
  if (row.series->gpus > 0)
    return textLine(groupColumns(),
                    {row.series->label, decimalText(point.time.median, 2), intervalText(point.time),
                     decimalText(measure::gigabytesPerSecond(point), 1), ratioText(point.toOneGpu),
                     ratioText(point.toNccl)}) +
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
  // What no row shows, a recording's times at other sizes, would be told without where it is from.
  const std::vector<measure::TimeRow> rows = measure::timeRows(snapshot);
  const auto isShown = [&](const measure::TimingSeries& series) {
    return std::ranges::any_of(rows, [&](const measure::TimeRow& row) { return row.series == &series; });
  };
  std::vector<std::string> sentences;
  for (const measure::TimingSeries& one : snapshot.series) {
    if (one.subject != measure::kOneGpu || !isShown(one)) continue;
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
  const std::vector<std::string> sentences = payoffSentences(snapshot);
  if (!sentences.empty()) text += "\n";
  for (const std::string& sentence : sentences) text += sentence + "\n";
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
