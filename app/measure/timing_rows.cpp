#include "measure/timing_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <vector>

#include "base/formats.h"
#include "measure/timing_data.h"

namespace stridescope::measure {
namespace {

bool isRecorded(const TimingSeries& series) { return series.source == SeriesSource::Recorded; }

bool isAsked(const TimingPlan& plan, const TimingSeries& series, const TimingPoint& point) {
  const model::TimingCase& timingCase = point.timingCase;
  if (!isRecorded(series)) return true;
  return timingCase.type == plan.type && timingCase.op == plan.op && timingCase.warmL2 == plan.warmL2 &&
         timingCase.graph == plan.graph &&
         std::ranges::find(plan.threads, timingCase.threads) != plan.threads.end() &&
         std::ranges::find(plan.sizes, timingCase.elements) != plan.sizes.end() &&
         std::ranges::find(plan.subjects, series.subject) != plan.subjects.end();
}

// Empty where a recording's times of 0 leave no number.
std::string csvFigure(double number) {
  return std::isfinite(number) ? fmt::format("{:.6g}", number) : std::string();
}

std::string csvRatio(const std::optional<Ratio>& ratio) {
  if (!ratio) return ",,,";
  return fmt::format("{},{},{},{}", csvFigure(ratio->median), csvFigure(ratio->interval.low),
                     csvFigure(ratio->interval.high), ratio->pairs);
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
    const model::TimingCase& timingCase = row.point->timingCase;
    return std::tuple(place(snapshot.plan.threads, timingCase.threads),
                      place(snapshot.plan.sizes, timingCase.elements), isRecorded(*row.series));
  });
  return rows;
}

std::vector<TimeRow> allTimeRows(const TimingSnapshot& snapshot) {
  std::vector<TimeRow> rows;
  for (const TimingSeries& series : snapshot.series)
    for (const TimingPoint& point : series.points) rows.push_back({&series, &point});
  return rows;
}

std::string timeCsv(std::span<const TimeRow> rows) {
  std::string text =
      "subject,kind,source,device,recorded_on,type,op,elements,threads,graph,warm_l2,samples,least_us,"
      "lower_quartile_us,median_us,upper_quartile_us,median_low_us,median_high_us,gigabytes_per_second,"
      "share_of_read_ceiling,time_over_cub,time_over_cub_low,time_over_cub_high,time_over_cub_pairs,"
      "time_over_first,time_over_first_low,time_over_first_high,time_over_first_pairs,"
      "time_over_previous,time_over_previous_low,time_over_previous_high,time_over_previous_pairs,empty_us,"
      "gpus,"
      "time_over_one_gpu,time_over_one_gpu_low,time_over_one_gpu_high,time_over_one_gpu_pairs,"
      "time_over_nccl,time_over_nccl_low,time_over_nccl_high,time_over_nccl_pairs\n";
  for (const TimeRow& row : rows) {
    const TimingSeries& series = *row.series;
    const auto& [timingCase, threads, empty, time, taken, toCub, toFirst, toPrevious, toOneGpu, toNccl] =
        *row.point;
    const double share = shareOfCeiling(row);
    text += fmt::format(
        "{},{},{},{},{},{},{},{},{},{},{},{},{:.4f},{:.4f},{:.4f},{:.4f},{:.4f},{:.4f},{},{},",
        csvText(series.subject.id), model::nameOf(series.subject.kind),
        isRecorded(series) ? "recorded" : "live", csvText(series.executor.device, CsvQuotes::Always),
        isRecorded(series) ? csvText(series.executor.recordedOn) : "", model::nameOf(timingCase.type),
        csvText(model::nameOf(timingCase.op)), timingCase.elements,
        threads > 0 ? std::to_string(threads) : "", int(timingCase.graph), int(timingCase.warmL2), time.count,
        time.least, time.lowerQuartile, time.median, time.upperQuartile, time.medianInterval.low,
        time.medianInterval.high, csvFigure(gigabytesPerSecond(*row.point)),
        share > 0 ? csvFigure(share) : "");
    text += csvRatio(toCub) + "," + csvRatio(toFirst) + "," + csvRatio(toPrevious) +
            (empty > 0 ? fmt::format(",{:.4f}", empty) : ",") +
            (series.gpus > 0 ? fmt::format(",{},", series.gpus) : ",,") + csvRatio(toOneGpu) + "," +
            csvRatio(toNccl) + "\n";
  }
  return text;
}

bool isNearer(std::uint64_t one, std::uint64_t other, std::uint64_t elements) {
  const auto factorTo = [&](std::uint64_t n) {
    return double(std::max(n, elements)) / double(std::min(n, elements));
  };
  return std::pair(factorTo(one), other) < std::pair(factorTo(other), one);
}

namespace {

// The times of one experiment, by n, the best origin first.
using TimesBySize = std::map<std::uint64_t, std::vector<ComparedTime>>;

TimesBySize timesOf(const TimingSnapshot& snapshot, const TimedExperiment& wanted, bool warmL2, bool graph) {
  TimesBySize times;
  const model::Experiment& experiment = wanted.experiment;
  if (experiment.op == model::Operator::Custom) return times;
  for (const TimingSeries& series : snapshot.series) {
    if (series.subject.kind != model::SubjectKind::Variant || series.subject.id != experiment.variant)
      continue;
    for (const TimingPoint& point : series.points) {
      const model::TimingCase& timed = point.timingCase;
      if (timed.type != experiment.type || timed.op != experiment.op || point.threads != experiment.threads ||
          timed.warmL2 != warmL2 || timed.graph != graph || point.time.count == 0)
        continue;
      times[timed.elements].push_back({.elements = timed.elements,
                                       .microseconds = point.time.median,
                                       .lowerQuartile = point.time.lowerQuartile,
                                       .upperQuartile = point.time.upperQuartile,
                                       .samples = point.time.count,
                                       .live = series.source == SeriesSource::Live,
                                       .device = series.executor.device});
    }
  }
  for (auto& [elements, all] : times)
    std::ranges::stable_sort(all, {}, [&](const ComparedTime& time) {
      return std::pair(!wanted.device.empty() && time.device != wanted.device, !time.live);
    });
  return times;
}

bool isOfOneOrigin(const ComparedTime& one, const ComparedTime& other) {
  return one.live == other.live && one.device == other.device;
}

void choose(const std::vector<ComparedTime>& left, const std::vector<ComparedTime>& right, bool twoGpus,
            ComparedTimes& times) {
  times.left = left.front(), times.right = right.front();
  if (twoGpus) return;
  for (const ComparedTime& one : left)
    for (const ComparedTime& other : right)
      if (isOfOneOrigin(one, other)) {
        times.left = one, times.right = other;
        return;
      }
}

// The nearest number of elements among those that are wanted.
template <class Wanted>
std::optional<std::uint64_t> nearestOf(const TimesBySize& times, std::uint64_t elements, Wanted isWanted) {
  std::optional<std::uint64_t> nearest;
  for (const auto& [n, all] : times)
    if (isWanted(n) && (!nearest || isNearer(n, *nearest, elements))) nearest = n;
  return nearest;
}

}  // namespace

TimedExperiment timedExperiment(const model::Trace& trace) {
  const bool isHost = trace.executor.kind == model::EngineKind::Host;
  return {trace.experiment, isHost ? std::string() : trace.executor.device, timedElements(trace.experiment)};
}

ComparedTimes comparedTimes(const TimingSnapshot& snapshot, const TimedExperiment& left,
                            const TimedExperiment& right, bool warmL2, bool graph) {
  const TimesBySize ofLeft = timesOf(snapshot, left, warmL2, graph);
  const TimesBySize ofRight = timesOf(snapshot, right, warmL2, graph);
  ComparedTimes times;
  if (left.elements == right.elements) {
    const auto both = nearestOf(ofLeft, left.elements, [&](std::uint64_t n) { return ofRight.contains(n); });
    if (both) {
      const bool twoGpus = !left.device.empty() && !right.device.empty() && left.device != right.device;
      choose(ofLeft.at(*both), ofRight.at(*both), twoGpus, times);
      return times;
    }
  }
  const auto any = [](std::uint64_t) { return true; };
  if (const auto n = nearestOf(ofLeft, left.elements, any)) times.left = ofLeft.at(*n).front();
  if (times.left && left.elements == right.elements) return times;
  if (const auto n = nearestOf(ofRight, right.elements, any)) times.right = ofRight.at(*n).front();
  return times;
}

}  // namespace stridescope::measure
