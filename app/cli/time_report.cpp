#include "cli/time_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "cli/field_json.h"
#include "measure/words.h"

namespace stridescope::cli {
namespace {

bool isRecorded(const measure::TimingSeries& series) {
  return series.source == measure::SeriesSource::Recorded;
}

std::string deviceText(const measure::TimingSeries& series) {
  std::string text = series.executor.device;
  if (isRecorded(series)) text = "recorded on " + text + ", " + series.executor.recordedOn.substr(0, 10);
  if (series.ceiling) {
    text += fmt::format("; reads {:.0f} GB/s, copies {:.0f} GB/s", series.ceiling->read.median,
                        series.ceiling->copy.median);
    if (series.ceiling->datasheet > 0)
      text += fmt::format(" of {:.0f} GB/s that its memory is built for", series.ceiling->datasheet);
  }
  return text;
}

std::string stationText(const model::TimingStation& station) {
  std::string text = fmt::format("{} {}, {} elements", model::nameOf(station.type), model::nameOf(station.op),
                                 measure::elementsText(station.elements));
  if (station.threads > 0) text += fmt::format(", {} threads a block", station.threads);
  if (station.graph) text += ", as a CUDA graph";
  if (station.warmL2) text += ", WARM L2: the same input again and again";
  return text;
}

std::string speedUp(const std::optional<measure::Ratio>& ratio) {
  return ratio && ratio->median > 0 ? fmt::format("{:.2f}x", 1 / ratio->median) : "";
}

std::string ratioText(const std::optional<measure::Ratio>& ratio) {
  return ratio ? fmt::format("{:.3f} ({:.3f} to {:.3f})", ratio->median, ratio->interval.low,
                             ratio->interval.high)
               : "";
}

std::string intervalText(const measure::Summary& time) {
  return fmt::format("{:.2f} to {:.2f}", time.medianInterval.low, time.medianInterval.high);
}

std::string tableRow(const measure::TimeRow& row) {
  const measure::TimingPoint& point = *row.point;
  const double share = measure::shareOfCeiling(row);
  return fmt::format("  {:<33} {:>10.2f}  {:<22} {:>8.1f} {:>7} {:>8} {:>8}  {}\n", row.series->label,
                     point.time.median, intervalText(point.time), measure::gigabytesPerSecond(point),
                     share > 0 ? fmt::format("{:.1f} %", 100 * share) : "", speedUp(point.toFirst),
                     speedUp(point.toPrevious), ratioText(point.toCub));
}

std::string tableHead() {
  return fmt::format("  {:<33} {:>10}  {:<22} {:>8} {:>7} {:>8} {:>8}  {}\n", "", "median us",
                     "95 % interval", "GB/s", "ceiling", "to first", "to prev.", "time / CUB's time");
}

nlohmann::ordered_json ratioJson(const std::optional<measure::Ratio>& ratio) {
  if (!ratio) return nullptr;
  return {{"median", ratio->median},
          {"interval", {ratio->interval.low, ratio->interval.high}},
          {"pairs", ratio->pairs}};
}

nlohmann::ordered_json deviceJson(const measure::TimingSeries& series) {
  constexpr std::array<std::string_view, 3> kFields{"compute_capability", "driver", "compiler"};
  nlohmann::ordered_json json{{"name", series.executor.device}};
  addFields(json, series.executor, kFields);
  for (const char* unknown : {"recorded_on", "read_ceiling_gigabytes_per_second",
                              "copy_ceiling_gigabytes_per_second", "datasheet_gigabytes_per_second"})
    json[unknown] = nullptr;
  if (isRecorded(series)) json["recorded_on"] = series.executor.recordedOn;
  if (!series.ceiling) return json;
  json["read_ceiling_gigabytes_per_second"] = series.ceiling->read.median;
  json["copy_ceiling_gigabytes_per_second"] = series.ceiling->copy.median;
  if (series.ceiling->datasheet > 0) json["datasheet_gigabytes_per_second"] = series.ceiling->datasheet;
  return json;
}

nlohmann::ordered_json rowJson(const measure::TimeRow& row) {
  const measure::TimingSeries& series = *row.series;
  const measure::TimingPoint& point = *row.point;
  const double share = measure::shareOfCeiling(row);
  nlohmann::ordered_json json{
      {"subject", series.subject.id},
      {"kind", model::nameOf(series.subject.kind)},
      {"label", series.label},
      {"source", isRecorded(series) ? "recorded" : "live"},
      {"device", deviceJson(series)},
      {"type", model::nameOf(point.station.type)},
      {"op", model::nameOf(point.station.op)},
      {"elements", point.station.elements},
      {"threads",
       point.threads > 0 ? nlohmann::ordered_json(point.threads) : nlohmann::ordered_json(nullptr)},
      {"graph", point.station.graph},
      {"warm_l2", point.station.warmL2},
      {"samples", point.time.count},
      {"least_us", point.time.least},
      {"lower_quartile_us", point.time.lowerQuartile},
      {"median_us", point.time.median},
      {"upper_quartile_us", point.time.upperQuartile},
      {"median_interval_us", {point.time.medianInterval.low, point.time.medianInterval.high}},
      {"gigabytes_per_second", measure::gigabytesPerSecond(point)},
      {"share_of_read_ceiling", nullptr},
      {"time_over_cub", ratioJson(point.toCub)},
      {"time_over_first", ratioJson(point.toFirst)},
      {"time_over_previous", ratioJson(point.toPrevious)}};
  if (share > 0) json["share_of_read_ceiling"] = share;
  return json;
}

}  // namespace

std::string timeTable(const measure::TimingSnapshot& snapshot) {
  std::string text, station, device;
  for (const measure::TimeRow& row : measure::timeRows(snapshot)) {
    if (const std::string here = stationText(row.point->station); here != station) {
      text += (text.empty() ? "" : "\n") + here + "\n";
      station = here;
      device.clear();
    }
    if (const std::string by = deviceText(*row.series); by != device) {
      text += " " + by + "\n" + (device.empty() ? tableHead() : "");
      device = by;
    }
    text += tableRow(row);
  }
  return text;
}

nlohmann::ordered_json timeJson(const measure::TimingSnapshot& snapshot) {
  nlohmann::ordered_json json{
      {"format", 1}, {"notes", snapshot.notes}, {"timings", nlohmann::ordered_json::array()}};
  for (const measure::TimeRow& row : measure::timeRows(snapshot)) json["timings"].push_back(rowJson(row));
  return json;
}

}  // namespace stridescope::cli
