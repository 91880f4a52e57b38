#include "analysis/rung_change.h"

#include <algorithm>
#include <numeric>

namespace stridescope::analysis {
namespace {

using model::Counter;

// A cause covers at least so much of what was saved.
constexpr double kMinShare = 0.3;

const model::LaunchCounters* largestLaunch(const ReductionCost& reduction) {
  if (!reduction.counters) return nullptr;
  return &*std::ranges::max_element(reduction.counters->launches, {}, &model::LaunchCounters::grid);
}

std::optional<double> sumOf(const ReductionCost& reduction, Counter first, Counter second) {
  if (!reduction.counters) return std::nullopt;
  return counted(reduction, first) + counted(reduction, second);
}

std::optional<double> valueOf(ChangedFigure figure, const ReductionCost& reduction) {
  const model::CostRecord& cost = reduction.cost;
  switch (figure) {
    case ChangedFigure::Launches:
      return double(cost.launches.size());
    case ChangedFigure::Blocks:
      return std::accumulate(
          cost.launches.begin(), cost.launches.end(), 0.0,
          [](double sum, const model::LaunchCost& launch) { return sum + double(launch.grid); });
    case ChangedFigure::Instructions:
      return reduction.counters ? std::optional(counted(reduction, Counter::Instructions)) : std::nullopt;
    case ChangedFigure::Wavefronts:
      return sumOf(reduction, Counter::SharedLoadWavefronts, Counter::SharedStoreWavefronts);
    case ChangedFigure::Conflicts:
      return sumOf(reduction, Counter::SharedLoadConflicts, Counter::SharedStoreConflicts);
    case ChangedFigure::BytesInFlight:
      return reduction.loads.bytes > 0 ? std::optional(bytesInFlight(reduction)) : std::nullopt;
    case ChangedFigure::DramShare: {
      const auto* const launch = largestLaunch(reduction);
      return launch ? launch->find(Counter::DramShare) : std::nullopt;
    }
    case ChangedFigure::Launching:
      return cost.emptyMicroseconds;
    case ChangedFigure::Time:
      return cost.microseconds;
  }
  return std::nullopt;
}

double limitOf(const TimeParts& parts, LimitKind kind) {
  const auto found = std::ranges::find(parts.limits, kind, &Limit::kind);
  return found == parts.limits.end() ? 0 : found->microseconds;
}

// What the change of that figure saves by itself, microseconds.
double savedBy(ChangedFigure figure, const TimeParts& before, const TimeParts& after) {
  const auto less = [&](LimitKind kind) { return limitOf(before, kind) - limitOf(after, kind); };
  switch (figure) {
    case ChangedFigure::Instructions:
      return less(LimitKind::Instructions);
    case ChangedFigure::Wavefronts:
      return less(LimitKind::SharedMemory);
    case ChangedFigure::Conflicts:
      return less(LimitKind::BankConflicts);
    case ChangedFigure::BytesInFlight:
      return less(LimitKind::LoadsInFlight);
    case ChangedFigure::Launching:
      return before.launching - after.launching;
    default:
      return 0;
  }
}

bool changed(const RungChange& change, ChangedFigure figure) {
  const Change* const found = change.find(figure);
  return found != nullptr && found->before != found->after;
}

// Empty kernels in the same grids differ by nothing but noise.
bool mayBeCause(const RungChange& change, ChangedFigure figure) {
  if (figure == ChangedFigure::Launching)
    return changed(change, ChangedFigure::Launches) || changed(change, ChangedFigure::Blocks);
  return changed(change, figure);
}

// Before, nothing else took longer by itself.
bool wasLimit(ChangedFigure figure, const TimeParts& before) {
  const double limit = before.limits.empty() ? 0 : before.limits.front().microseconds;
  const double most = std::max({limit, before.launching, before.memory});
  return savedBy(figure, before, TimeParts()) >= most;
}

bool quartilesOverlap(const model::CostRecord& a, const model::CostRecord& b) {
  return a.lowerQuartile <= b.upperQuartile && b.lowerQuartile <= a.upperQuartile;
}

}  // namespace

std::string_view nameOf(ChangedFigure figure) {
  constexpr std::array<std::string_view, kChangedFigures.size()> names{
      "microseconds", "launches",        "blocks",     "instructions",          "wavefronts",
      "conflicts",    "bytes_in_flight", "dram_share", "launching_microseconds"};
  return names[std::size_t(figure)];
}

const Change* RungChange::find(ChangedFigure figure) const {
  const auto found = std::ranges::find(changes, figure, &Change::figure);
  return found == changes.end() ? nullptr : &*found;
}

RungChange changeFrom(const ReductionCost& before, const ReductionCost& after) {
  RungChange change;
  for (const ChangedFigure figure : kChangedFigures) {
    const auto was = valueOf(figure, before), is = valueOf(figure, after);
    if (was && is) change.changes.push_back({figure, *was, *is});
  }
  change.saved = before.cost.microseconds - after.cost.microseconds;
  change.sameTime = quartilesOverlap(before.cost, after.cost);
  if (change.sameTime || change.saved <= 0) return change;
  const TimeParts was = timePartsOf(before), is = timePartsOf(after);
  double most = 0;
  for (const Change& each : change.changes)
    if (const double saved = savedBy(each.figure, was, is); saved > most && mayBeCause(change, each.figure)) {
      most = saved;
      change.cause = each.figure;
    }
  change.explained = std::min(most, change.saved);
  if (most < kMinShare * change.saved) {
    change.cause.reset();
    change.explained = 0;
  }
  change.wasLimit = change.cause && wasLimit(*change.cause, was);
  return change;
}

}  // namespace stridescope::analysis
