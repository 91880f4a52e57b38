#include "lab/measured.h"

#include <cstddef>
#include <span>
#include <utility>

#include "archive/recording_file.h"
#include "narration/measured_sentences.h"

namespace stridescope::lab {

std::shared_ptr<const MarkedGrid> markedGridOf(model::TimelineRecord record) {
  auto timeline = analysis::gridTimelineOf(record);
  return std::make_shared<const MarkedGrid>(MarkedGrid{std::move(record), std::move(timeline)});
}

const analysis::LaunchCycles& KnownRun::cycles(unsigned launch) const {
  static const analysis::LaunchCycles nothing;
  return launch < measured.cycles.launches.size() ? measured.cycles.launches[launch] : nothing;
}

std::string KnownRun::cyclesOrigin() const {
  const RunCycles& cycles = measured.cycles;
  if (cycles.clocks.empty()) return {};
  return narration::countedOn(
      cycles.live ? narration::MeasuredFrom::ThisRun : narration::MeasuredFrom::Recording,
      cycles.clocks.back().executor.device);
}

namespace {

analysis::FigureOrigin originOf(bool live, const model::Executor& executor) {
  return {live ? analysis::OriginKind::Measured : analysis::OriginKind::Recorded, executor.device};
}

}  // namespace

archive::Measured keptOf(const RunMeasured& measured) {
  const auto& counters = measured.counters.record;
  const bool hasCounters = counters && counters->experiment.given.get() == nullptr;
  return {measured.cycles.clocks,
          std::span(hasCounters ? &*counters : nullptr, hasCounters ? std::size_t{1} : 0)};
}

void addMeasured(const RunMeasured& measured, analysis::ComparedSide& side) {
  if (const auto& clocks = measured.cycles.clocks;
      !clocks.empty() && side.launch < measured.cycles.launches.size()) {
    side.cycles = &measured.cycles.launches[side.launch];
    side.cyclesFrom = originOf(measured.cycles.live, clocks.back().executor);
  }
  if (const auto& counters = measured.counters.record; counters && side.launch < counters->launches.size()) {
    side.counters = &counters->launches[side.launch];
    side.countersFrom = originOf(measured.counters.live, counters->executor);
  }
  if (const auto& cost = measured.costs.own) {
    side.cost = &cost->cost;
    side.costFrom = originOf(measured.costs.live, cost->cost.executor);
    if (cost->prices) side.prices = &*cost->prices;
  }
}

}  // namespace stridescope::lab
