#include "measure/compared_times.h"

#include <algorithm>
#include <map>
#include <vector>

namespace stridescope::measure {
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
      times[timed.elements].push_back({.microseconds = point.time.median,
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

}  // namespace

ComparedTimes comparedTimes(const TimingSnapshot& snapshot, const TimedExperiment& left,
                            const TimedExperiment& right, std::uint64_t elements, bool warmL2, bool graph) {
  const TimesBySize ofLeft = timesOf(snapshot, left, warmL2, graph);
  const TimesBySize ofRight = timesOf(snapshot, right, warmL2, graph);
  ComparedTimes times;
  for (const auto& [n, all] : ofLeft)
    if (ofRight.contains(n) && times.elements != elements) times.elements = n;
  if (times.elements > 0) {
    const bool twoGpus = !left.device.empty() && !right.device.empty() && left.device != right.device;
    choose(ofLeft.at(times.elements), ofRight.at(times.elements), twoGpus, times);
    return times;
  }
  const TimesBySize& only = ofLeft.empty() ? ofRight : ofLeft;
  if (only.empty()) return times;
  times.elements = only.contains(elements) ? elements : only.rbegin()->first;
  (ofLeft.empty() ? times.right : times.left) = only.at(times.elements).front();
  return times;
}

}  // namespace stridescope::measure
