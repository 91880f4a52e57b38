#include "cli/time_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "timing/words.h"

namespace stridescope {
namespace {

bool isRecorded(const TimingSeries& series) { return series.source == SeriesSource::Recorded; }

bool isAsked(const TimingPlan& plan, const TimingSeries& series, const TimingPoint& point) {
  const TimingStation& station = point.station;
  if (!isRecorded(series)) return true;
  return station.type == plan.type && station.op == plan.op && station.warmL2 == plan.warmL2 &&
         station.graph == plan.graph && std::ranges::find(plan.sizes, station.elements) != plan.sizes.end() &&
         std::ranges::find(plan.subjects, series.subject) != plan.subjects.end();
}

std::string deviceText(const TimingSeries& series) {
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

std::string stationText(const TimingStation& station) {
  std::string text = fmt::format("{} {}, {} elements", nameOf(station.type), nameOf(station.op),
                                 elementsText(station.elements));
  if (station.threads > 0) text += fmt::format(", {} threads a block", station.threads);
  if (station.graph) text += ", as a CUDA graph";
  if (station.warmL2) text += ", WARM L2: the same input again and again";
  return text;
}

std::string speedUp(const std::optional<Ratio>& ratio) {
  return ratio && ratio->median > 0 ? fmt::format("{:.2f}x", 1 / ratio->median) : "";
}

std::string ratioText(const std::optional<Ratio>& ratio) {
  return ratio ? fmt::format("{:.3f} ({:.3f} to {:.3f})", ratio->median, ratio->interval.low,
                             ratio->interval.high)
               : "";
}

std::string intervalText(const Summary& time) {
  return fmt::format("{:.2f} to {:.2f}", time.medianInterval.low, time.medianInterval.high);
}

std::string tableRow(const TimeRow& row) {
  const TimingPoint& point = *row.point;
  const double share = shareOfCeiling(row);
  return fmt::format("  {:<28} {:>10.2f}  {:<22} {:>8.1f} {:>7} {:>8} {:>8}  {}\n", row.series->label,
                     point.time.median, intervalText(point.time), gigabytesPerSecond(point),
                     share > 0 ? fmt::format("{:.1f} %", 100 * share) : "", speedUp(point.toFirst),
                     speedUp(point.toPrevious), ratioText(point.toCub));
}

std::string tableHead() {
  return fmt::format("  {:<28} {:>10}  {:<22} {:>8} {:>7} {:>8} {:>8}  {}\n", "", "median us",
                     "95 % interval", "GB/s", "ceiling", "to first", "to prev.", "time / CUB's time");
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

std::string csvRatio(const std::optional<Ratio>& ratio) {
  if (!ratio) return ",,,";
  return fmt::format("{:.6g},{:.6g},{:.6g},{}", ratio->median, ratio->interval.low, ratio->interval.high,
                     ratio->pairs);
}

nlohmann::ordered_json ratioJson(const std::optional<Ratio>& ratio) {
  if (!ratio) return nullptr;
  return {{"median", ratio->median},
          {"interval", {ratio->interval.low, ratio->interval.high}},
          {"pairs", ratio->pairs}};
}

nlohmann::ordered_json deviceJson(const TimingSeries& series) {
  nlohmann::ordered_json json{{"name", series.executor.device},
                              {"compute_capability", series.executor.computeCapability},
                              {"driver", series.executor.driver},
                              {"compiler", series.executor.compiler},
                              {"recorded_on", nullptr},
                              {"read_ceiling_gigabytes_per_second", nullptr},
                              {"copy_ceiling_gigabytes_per_second", nullptr},
                              {"datasheet_gigabytes_per_second", nullptr}};
  if (isRecorded(series)) json["recorded_on"] = series.executor.recordedOn;
  if (!series.ceiling) return json;
  json["read_ceiling_gigabytes_per_second"] = series.ceiling->read.median;
  json["copy_ceiling_gigabytes_per_second"] = series.ceiling->copy.median;
  if (series.ceiling->datasheet > 0) json["datasheet_gigabytes_per_second"] = series.ceiling->datasheet;
  return json;
}

nlohmann::ordered_json rowJson(const TimeRow& row) {
  const TimingSeries& series = *row.series;
  const TimingPoint& point = *row.point;
  const double share = shareOfCeiling(row);
  nlohmann::ordered_json json{
      {"subject", series.subject.id},
      {"kind", nameOf(series.subject.kind)},
      {"label", series.label},
      {"source", isRecorded(series) ? "recorded" : "live"},
      {"device", deviceJson(series)},
      {"type", nameOf(point.station.type)},
      {"op", nameOf(point.station.op)},
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
      {"gigabytes_per_second", gigabytesPerSecond(point)},
      {"share_of_read_ceiling", nullptr},
      {"time_over_cub", ratioJson(point.toCub)},
      {"time_over_first", ratioJson(point.toFirst)},
      {"time_over_previous", ratioJson(point.toPrevious)}};
  if (share > 0) json["share_of_read_ceiling"] = share;
  return json;
}

}  // namespace

double shareOfCeiling(const TimeRow& row) {
  if (!row.series->ceiling || row.series->ceiling->read.median <= 0) return 0;
  return gigabytesPerSecond(*row.point) / row.series->ceiling->read.median;
}

std::vector<TimeRow> timeRows(const TimingSnapshot& snapshot) {
  std::vector<TimeRow> rows;
  for (const TimingSeries& series : snapshot.series)
    for (const TimingPoint& point : series.points)
      if (isAsked(snapshot.plan, series, point)) rows.push_back({&series, &point});
  const auto place = [](const auto& list, const auto& value) {
    return std::ranges::find(list, value) - list.begin();
  };
  std::ranges::stable_sort(rows, {}, [&](const TimeRow& row) {
    const TimingStation& station = row.point->station;
    return std::tuple(place(snapshot.plan.threads, station.threads),
                      place(snapshot.plan.sizes, station.elements), isRecorded(*row.series));
  });
  return rows;
}

std::string timeTable(const TimingSnapshot& snapshot) {
  std::string text, station, device;
  for (const TimeRow& row : timeRows(snapshot)) {
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

std::string timeCsv(const TimingSnapshot& snapshot) {
  std::string text =
      "subject,kind,source,device,recorded_on,type,op,elements,threads,graph,warm_l2,samples,least_us,"
      "lower_quartile_us,median_us,upper_quartile_us,median_low_us,median_high_us,gigabytes_per_second,"
      "share_of_read_ceiling,time_over_cub,time_over_cub_low,time_over_cub_high,time_over_cub_pairs,"
      "time_over_first,time_over_first_low,time_over_first_high,time_over_first_pairs,"
      "time_over_previous,time_over_previous_low,time_over_previous_high,time_over_previous_pairs\n";
  for (const TimeRow& row : timeRows(snapshot)) {
    const TimingSeries& series = *row.series;
    const auto& [station, threads, time, taken, toCub, toFirst, toPrevious] = *row.point;
    const double share = shareOfCeiling(row);
    text += fmt::format(
        "{},{},{},{},{},{},{},{},{},{},{},{},{:.4f},{:.4f},{:.4f},{:.4f},{:.4f},{:.4f},{:.6g},{},",
        series.subject.id, nameOf(series.subject.kind), isRecorded(series) ? "recorded" : "live",
        quoted(series.executor.device), isRecorded(series) ? series.executor.recordedOn : "",
        nameOf(station.type), nameOf(station.op), station.elements,
        threads > 0 ? std::to_string(threads) : "", int(station.graph), int(station.warmL2), time.count,
        time.least, time.lowerQuartile, time.median, time.upperQuartile, time.medianInterval.low,
        time.medianInterval.high, gigabytesPerSecond(*row.point),
        share > 0 ? fmt::format("{:.6g}", share) : "");
    text += csvRatio(toCub) + "," + csvRatio(toFirst) + "," + csvRatio(toPrevious) + "\n";
  }
  return text;
}

nlohmann::ordered_json timeJson(const TimingSnapshot& snapshot) {
  nlohmann::ordered_json json{
      {"format", 1}, {"notes", snapshot.notes}, {"timings", nlohmann::ordered_json::array()}};
  for (const TimeRow& row : timeRows(snapshot)) json["timings"].push_back(rowJson(row));
  return json;
}

}  // namespace stridescope
