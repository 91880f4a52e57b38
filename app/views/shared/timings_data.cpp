#include "views/shared/timings_data.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "kernels/catalog.h"
#include "measure/group_series.h"
#include "measure/timing_board.h"
#include "measure/timing_rows.h"

namespace stridescope::views {
namespace {

constexpr double kBuckets = 100;         // the Live plot's as it is at first
constexpr double kSpansKept = 3;         // samples older than so many of it are drawn in wider buckets
constexpr double kMinBucket = 1.0 / 64;  // seconds

bool isOfGroup(const TimingFilter& filter, const measure::TimingSeries& series) {
  if (series.gpus != filter.gpus) return false;
  return filter.gpus == 0 || measure::leavesArrays(series.subject) == filter.arrays;
}

bool isShown(const TimingFilter& filter, const measure::TimingSeries& series,
             const measure::TimingPoint& point) {
  if (!isOfGroup(filter, series)) return false;
  const model::TimingCase& timingCase = point.timingCase;
  return timingCase.type == filter.type && timingCase.op == filter.op && timingCase.warmL2 == filter.warmL2 &&
         timingCase.graph == filter.graph && point.time.count > 0;
}

// The value at a share of the way through, nearest rank; reorders.
double ranked(std::vector<float>& values, double share) {
  const auto place = std::ptrdiff_t(std::ceil(share * double(values.size()))) - 1;
  const auto nth = values.begin() + std::max<std::ptrdiff_t>(0, place);
  std::nth_element(values.begin(), nth, values.end());
  return double(*nth);
}

TimingCurve curveOf(std::vector<const measure::TimingPoint*> points,
                    double (*at)(const measure::TimingPoint&)) {
  std::ranges::stable_sort(points, {}, [&](const measure::TimingPoint* point) { return at(*point); });
  TimingCurve curve;
  for (const measure::TimingPoint* point : points) {
    curve.at.push_back(at(*point));
    curve.microseconds.push_back(point->time.median);
    curve.gigabytes.push_back(measure::gigabytesPerSecond(*point));
  }
  return curve;
}

// The size nearest to the preferred one that was measured; live ones go first where the recorded ones have
// not the preferred one itself.
template <class Which>
std::uint64_t sizeShown(const TimingsPicture& picture, Which which) {
  const std::uint64_t wanted = picture.filter.elements;
  std::uint64_t nearest = 0;
  for (const measure::SeriesSource source : {measure::SeriesSource::Live, measure::SeriesSource::Recorded}) {
    std::uint64_t here = 0;
    for (const measure::TimingSeries& series : picture.snapshot->series)
      for (const measure::TimingPoint& point : series.points) {
        if (series.source != source || !isShown(picture.filter, series, point) || !which(point)) continue;
        const std::uint64_t n = point.timingCase.elements;
        if (here == 0 || measure::isNearer(n, here, wanted)) here = n;
      }
    if (here == wanted) return wanted;
    if (nearest == 0) nearest = here;
  }
  return nearest == 0 ? wanted : nearest;
}

// The variants of the Ladder from 0, then all others, then the baselines, then what runs over several GPUs.
std::map<std::string, unsigned, std::less<>> subjectNumbers() {
  std::map<std::string, unsigned, std::less<>> numbers;
  for (const bool ladder : {true, false})
    for (const kernels::Variant& variant : kernels::catalogAndTimedOnly())
      if ((variant.family == kernels::Family::Ladder) == ladder && !variant.isOfSeveralGpus())
        numbers.emplace(variant.id, unsigned(numbers.size()));
  for (const model::TimingSubject& baseline :
       measure::baselineSubjects(model::ElementType::Int, model::Operator::Add))
    numbers.emplace(baseline.id, unsigned(numbers.size()));
  for (const model::TimingSubject& subject :
       measure::groupSubjects(model::ElementType::Int, model::Operator::Add))
    numbers.emplace(subject.id, unsigned(numbers.size()));
  return numbers;
}

bool usesDefaultBlocks(const measure::TimingPoint& point) { return point.timingCase.threads == 0; }
bool usesGivenBlocks(const measure::TimingPoint& point) { return point.timingCase.threads > 0; }

// The point of the variant's own block size, as `time` and the documents have it; where there is none, that
// of the usual size.
bool isBetterRung(const measure::TimingPoint& point, const measure::TimingPoint* rung) {
  if (usesDefaultBlocks(point)) return rung == nullptr || !usesDefaultBlocks(*rung);
  return rung == nullptr && point.threads == model::kDefaultThreads;
}

// The bounds from the sizes at which launching was timed; empty if the GPU's bandwidth is not known.
analysis::SizeBounds boundsOf(std::vector<const measure::TimingPoint*> sizes,
                              const measure::TimingSeries& series) {
  if (!series.ceiling || series.ceiling->read.median <= 0) return {};
  std::ranges::sort(sizes, {}, [](const measure::TimingPoint* point) { return point->timingCase.elements; });
  std::vector<analysis::SizePoint> points;
  for (const measure::TimingPoint* point : sizes)
    if (point->emptyMicroseconds > 0)
      points.push_back({.elements = double(point->timingCase.elements),
                        .time = point->time.median,
                        .emptyGrid = point->emptyMicroseconds,
                        .memory = double(point->timingCase.elements) *
                                  model::bytesOf(point->timingCase.type) / series.ceiling->read.median /
                                  1e3});
  return analysis::sizeBounds(points);
}

TimingLine lineOf(const measure::TimingSeries& series, const TimingsPicture& picture, double bucketSeconds) {
  TimingLine line{.series = &series,
                  .key = series.subject.id,
                  .recorded = series.source == measure::SeriesSource::Recorded,
                  .onCpu = measure::deviceOf(series.subject.kind) == measure::TimingDeviceKind::Cpu};
  if (line.recorded) line.key += "@" + series.executor.device + series.executor.recordedOn;
  std::vector<const measure::TimingPoint*> sizes, blocks;
  for (const measure::TimingPoint& point : series.points) {
    if (!isShown(picture.filter, series, point)) continue;
    if (series.subject.kind != model::SubjectKind::Variant && !measure::isSettled(point)) continue;
    if (usesDefaultBlocks(point)) sizes.push_back(&point);
    if (point.timingCase.elements == picture.ladderElements && isBetterRung(point, line.rung))
      line.rung = &point;
    if (usesGivenBlocks(point) && point.timingCase.elements == picture.blockElements)
      blocks.push_back(&point);
  }
  line.bySize =
      curveOf(sizes, [](const measure::TimingPoint& point) { return double(point.timingCase.elements); });
  line.byBlock =
      curveOf(blocks, [](const measure::TimingPoint& point) { return double(point.timingCase.threads); });
  line.bounds = boundsOf(sizes, series);
  line.live = liveLine(series.recentSeconds, series.recentMicroseconds, bucketSeconds);
  return line;
}

bool isEmpty(const TimingLine& line) {
  return line.bySize.at.empty() && line.byBlock.at.empty() && line.live.seconds.empty();
}

// The least time at each size over the lines of one device. The floor is no reduction.
std::map<double, double> fastest(const TimingsPicture& picture, bool recorded, bool onCpu) {
  std::map<double, double> least;
  for (const TimingLine& line : picture.lines) {
    if (line.recorded != recorded || line.onCpu != onCpu || line.series->subject == measure::kFloor) continue;
    for (std::size_t i = 0; i < line.bySize.at.size(); ++i) {
      const auto [place, isNew] = least.try_emplace(line.bySize.at[i], line.bySize.microseconds[i]);
      if (!isNew) place->second = std::min(place->second, line.bySize.microseconds[i]);
    }
  }
  return least;
}

std::optional<Crossover> crossoverOf(const TimingsPicture& picture, bool recorded) {
  const auto gpu = fastest(picture, recorded, false), cpu = fastest(picture, recorded, true);
  struct Common {
    double logSize, logGpu, logCpu;
  };
  std::optional<Common> before;
  for (const auto& [size, time] : gpu) {
    const auto other = cpu.find(size);
    if (other == cpu.end()) continue;
    const Common here{std::log(size), std::log(time), std::log(other->second)};
    if (before && (before->logGpu > before->logCpu) && (here.logGpu <= here.logCpu)) {
      const double gapBefore = before->logGpu - before->logCpu, gapHere = here.logCpu - here.logGpu;
      const double share = gapBefore / (gapBefore + gapHere);
      return Crossover{std::exp(std::lerp(before->logSize, here.logSize, share)),
                       std::exp(std::lerp(before->logGpu, here.logGpu, share)), "GPU"};
    }
    before = here;
  }
  return std::nullopt;
}

// From where on the fastest of several GPUs takes less time than one.
std::optional<Crossover> payoffIn(const TimingsPicture& picture, bool recorded) {
  std::vector<analysis::SizedTime> one, several;
  std::map<double, double> least;
  for (const TimingLine& line : picture.lines) {
    if (line.recorded != recorded) continue;
    for (std::size_t i = 0; i < line.bySize.at.size(); ++i) {
      const double n = line.bySize.at[i], time = line.bySize.microseconds[i];
      if (line.series->subject == measure::kOneGpu)
        one.push_back({n, time});
      else
        least[n] = least.contains(n) ? std::min(least[n], time) : time;
    }
  }
  for (const auto& [n, time] : least) several.push_back({n, time});
  const analysis::GroupPayoff payoff = analysis::payoffOf(one, several);
  if (payoff.kind != analysis::GroupPayoff::Kind::From) return std::nullopt;
  return Crossover{payoff.from.elements, payoff.from.microseconds,
                   std::to_string(picture.filter.gpus) + " GPUs"};
}

// The ceiling of live lines goes before that of recorded ones.
double readCeilingOf(const TimingsPicture& picture) {
  for (const bool recorded : {false, true})
    for (const TimingLine& line : picture.lines)
      if (line.recorded == recorded && line.series->ceiling && line.series->ceiling->read.median > 0)
        return line.series->ceiling->read.median;
  return 0;
}

// How many seconds lie between all samples that are kept.
double measureLiveSpan(TimingsPicture& picture) {
  double oldest = 0;
  bool any = false;
  for (const measure::TimingSeries& series : picture.snapshot->series) {
    if (series.recentSeconds.empty()) continue;
    oldest =
        any ? std::min(oldest, double(series.recentSeconds.front())) : double(series.recentSeconds.front());
    picture.newestSeconds = std::max(picture.newestSeconds, double(series.recentSeconds.back()));
    any = true;
  }
  const double all = picture.newestSeconds - oldest;
  picture.liveSpan = std::clamp(all, kMinLiveSeconds, kLongestLiveSeconds);
  return all;
}

// A power of two of seconds that divides `span` into some hundred buckets.
double bucketSecondsFor(double span) {
  double width = kMinBucket;
  while (width * kBuckets < span) width *= 2;
  return width;
}

}  // namespace

LiveLine liveLine(std::span<const float> seconds, std::span<const float> microseconds, double bucketSeconds) {
  LiveLine line;
  std::vector<float> bucket;
  for (std::size_t begin = 0; begin < seconds.size();) {
    const double number = std::floor(double(seconds[begin]) / bucketSeconds);
    std::size_t end = begin;
    while (end < seconds.size() && std::floor(double(seconds[end]) / bucketSeconds) == number) ++end;
    bucket.assign(microseconds.begin() + std::ptrdiff_t(begin), microseconds.begin() + std::ptrdiff_t(end));
    line.seconds.push_back((number + 0.5) * bucketSeconds);
    line.low.push_back(ranked(bucket, 0.1));
    line.median.push_back(ranked(bucket, 0.5));
    line.high.push_back(ranked(bucket, 0.9));
    begin = end;
  }
  return line;
}

TimingsPicture timingsPicture(std::shared_ptr<const measure::TimingSnapshot> snapshot,
                              const TimingFilter& filter) {
  TimingsPicture picture;
  picture.snapshot = std::move(snapshot);
  picture.filter = filter;
  const double kept = measureLiveSpan(picture);
  picture.ladderElements = sizeShown(picture, usesDefaultBlocks);
  picture.blockElements = sizeShown(picture, usesGivenBlocks);
  const double bucketSeconds = bucketSecondsFor(std::max(picture.liveSpan, kept / kSpansKept));
  const auto numbers = subjectNumbers();
  for (const measure::TimingSeries& series : picture.snapshot->series) {
    if (!isOfGroup(filter, series)) continue;
    TimingLine line = lineOf(series, picture, bucketSeconds);
    if (isEmpty(line)) continue;
    const auto number = numbers.find(series.subject.id);
    line.number = number == numbers.end() ? unsigned(numbers.size()) : number->second;
    (line.recorded ? picture.hasRecorded : picture.hasLive) = true;
    picture.lines.push_back(std::move(line));
  }
  picture.readCeiling = readCeilingOf(picture);
  const auto crossoverIn = filter.gpus > 0 ? payoffIn : crossoverOf;
  picture.crossover = crossoverIn(picture, false);
  if (!picture.crossover) picture.crossover = crossoverIn(picture, true);
  return picture;
}

std::vector<std::pair<model::ElementType, model::Operator>> recordedReductions(
    const measure::TimingSnapshot& snapshot) {
  std::vector<std::pair<model::ElementType, model::Operator>> reductions;
  for (const measure::TimingSeries& series : snapshot.series)
    for (const measure::TimingPoint& point : series.points) {
      const std::pair reduction{point.timingCase.type, point.timingCase.op};
      if (series.gpus > 0) continue;
      if (series.source == measure::SeriesSource::Recorded && !std::ranges::count(reductions, reduction))
        reductions.push_back(reduction);
    }
  return reductions;
}

std::optional<double> valueAt(const std::vector<double>& at, const std::vector<double>& values, double x) {
  const auto above = std::ranges::lower_bound(at, x);
  if (above == at.end()) return std::nullopt;
  const auto place = std::size_t(above - at.begin());
  if (*above == x) return values[place];
  if (place == 0) return std::nullopt;
  const double share = std::log(x / at[place - 1]) / std::log(at[place] / at[place - 1]);
  return std::exp(std::lerp(std::log(values[place - 1]), std::log(values[place]), share));
}

}  // namespace stridescope::views
