#include "analysis/reduction_cost.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <numeric>

namespace stridescope::analysis {
namespace {

using model::Counter;

constexpr double kNanosecondsPerMicrosecond = 1e3;

// How many microseconds all multiprocessors together need for `amount`; each of them does `rate` in a cycle.
double microsecondsOf(double amount, double rate, const model::GpuLimits& limits) {
  const double perMicrosecond = rate * limits.multiprocessors * limits.clockMegahertz;
  return perMicrosecond > 0 ? amount / perMicrosecond : 0;
}

// At the bandwidth that the loads in flight allow.
double waitingForLoads(const ReductionCost& reduction) {
  const double needed = bytesNeededInFlight(reduction.cost.limits), has = bytesInFlight(reduction);
  if (needed <= 0 || has <= 0 || has >= needed) return 0;
  const double time = boundOf(reduction, BoundKind::Memory) * needed / has;
  return time <= reduction.cost.microseconds ? time : 0;
}

double conflicts(const ReductionCost& reduction) {
  return counted(reduction, Counter::SharedLoadConflicts) + counted(reduction, Counter::SharedStoreConflicts);
}

double wavefronts(const ReductionCost& reduction) {
  return counted(reduction, Counter::SharedLoadWavefronts) +
         counted(reduction, Counter::SharedStoreWavefronts);
}

}  // namespace

std::string_view nameOf(BoundKind kind) {
  constexpr std::array<std::string_view, kBoundKinds.size()> names{
      "empty_grid",    "memory",         "loads_in_flight", "instructions",
      "shared_memory", "bank_conflicts", "barriers",        "tail"};
  return names[std::size_t(kind)];
}

std::uint64_t inputBytes(const model::CostRecord& cost) {
  return cost.experiment.elements * model::bytesOf(cost.experiment.type);
}

double bytesInFlight(const ReductionCost& reduction) {
  const model::LaunchCost& launch = reduction.cost.launches.front();
  const double blocks =
      std::min(double(launch.grid), double(launch.residentBlocks) * reduction.cost.limits.multiprocessors);
  return blocks * double(launch.block) * reduction.loads.bytes;
}

double bytesNeededInFlight(const model::GpuLimits& limits) {
  return limits.latencyNanoseconds * limits.readGigabytesPerSecond;  // ns x 10^9 bytes/s
}

double counted(const ReductionCost& reduction, Counter counter) {
  double sum = 0;
  if (reduction.counters)
    for (const model::LaunchCounters& launch : reduction.counters->launches)
      sum += launch.find(counter).value_or(0);
  return sum;
}

double barrierShare(const ReductionCost& reduction) {
  if (!reduction.counters) return 0;
  const model::LaunchCounters& launch = reduction.counters->launches.front();
  double all = 1;  // the warp that issues
  for (const model::CounterFacts& facts : model::counterFacts())
    if (facts.unit == model::CounterUnit::Warps) all += launch.find(facts.counter).value_or(0);
  return launch.find(Counter::StallBarrier).value_or(0) / all;
}

double boundOf(const ReductionCost& reduction, BoundKind kind) {
  const model::GpuLimits& limits = reduction.cost.limits;
  switch (kind) {
    case BoundKind::EmptyGrid:
      return reduction.cost.emptyMicroseconds;
    case BoundKind::Memory:
      return limits.readGigabytesPerSecond > 0
                 ? double(inputBytes(reduction.cost)) / limits.readGigabytesPerSecond /
                       kNanosecondsPerMicrosecond
                 : 0;
    case BoundKind::LoadsInFlight:
      return waitingForLoads(reduction);
    case BoundKind::Instructions:
      return microsecondsOf(counted(reduction, Counter::Instructions), kSchedulers, limits);
    case BoundKind::SharedMemory:
      return microsecondsOf(std::max(0.0, wavefronts(reduction) - conflicts(reduction)), 1, limits);
    case BoundKind::BankConflicts:
      return microsecondsOf(conflicts(reduction), 1, limits);
    case BoundKind::Barriers:
      return barrierShare(reduction) *
             std::max(0.0, reduction.cost.microseconds - reduction.cost.limits.launchMicroseconds);
    case BoundKind::Tail:
      return reduction.firstLaunch && reduction.firstLaunch->waves > 1
                 ? double(reduction.firstLaunch->tail().length()) / kNanosecondsPerMicrosecond
                 : 0;
  }
  return 0;
}

namespace {

bool arePriced(const ReductionCost& reduction) {
  return reduction.prices && !reduction.prices->steps.empty();
}

// Grids that do nothing were timed apart: where the first one has a price among the steps, a second time of
// it would be no news; where they took longer than the reduction, their spread is larger than what they tell.
bool isNoNews(BoundKind kind, double time, const ReductionCost& reduction) {
  return kind == BoundKind::EmptyGrid && (arePriced(reduction) || time > reduction.cost.microseconds);
}

}  // namespace

std::vector<Bound> boundsOf(const ReductionCost& reduction) {
  std::vector<Bound> bounds;
  for (const BoundKind kind : kBoundKinds)
    if (const double time = boundOf(reduction, kind); time > 0 && !isNoNews(kind, time, reduction))
      bounds.push_back({kind, time});
  std::ranges::stable_sort(bounds, std::ranges::greater{}, &Bound::microseconds);
  return bounds;
}

LoadsPerThread loadsPerThread(const model::LaunchTrace& launch, const LaunchAnalysis& analysis) {
  LoadsPerThread most;
  for (const Round& round : analysis.rounds) {
    std::map<std::uint32_t, LoadsPerThread> passes;
    for (const WarpOperation& operation : round.operations) {
      if (operation.warp != 0 || operation.kind != model::EventKind::Load || operation.mask == 0) continue;
      const model::Event& event =
          launch.recorded().events[operation.event[unsigned(std::countr_zero(operation.mask))]];
      if (!event.inGlobal()) continue;
      LoadsPerThread& pass = passes[operation.pass];
      ++pass.loads;
      pass.bytes += event.width();
    }
    for (const auto& [number, loads] : passes)
      if (loads.bytes > most.bytes) most = {loads.loads, loads.bytes, passes.size() > 1};
  }
  return most;
}

namespace {

constexpr double kHalf = 0.5;

// Where the share crosses kMost between two sizes, in that direction; nullopt: it does not.
std::optional<double> crossing(double firstSize, double firstShare, double nextSize, double nextShare,
                               bool upwards) {
  const bool crosses =
      upwards ? firstShare < kHalf && nextShare >= kHalf : firstShare >= kHalf && nextShare < kHalf;
  if (!crosses) return std::nullopt;
  const double part = (kHalf - firstShare) / (nextShare - firstShare);
  return std::exp2(std::log2(firstSize) + part * (std::log2(nextSize) - std::log2(firstSize)));
}

}  // namespace

SizeBounds sizeBounds(std::span<const SizePoint> points) {
  SizeBounds bounds;
  for (std::size_t i = 1; i < points.size(); ++i) {
    const SizePoint &first = points[i - 1], &next = points[i];
    if (first.elements <= 0 || first.time <= 0 || next.time <= 0) continue;
    // The last crossing counts: small grids' times are uneven.
    if (const auto size = crossing(first.elements, first.emptyGrid / first.time, next.elements,
                                   next.emptyGrid / next.time, false))
      bounds.emptyGridUntil = size;
    if (const auto size =
            crossing(first.elements, first.memory / first.time, next.elements, next.memory / next.time, true))
      bounds.memoryFrom = size;
  }
  return bounds;
}

namespace {

struct CommonSize {
  double logSize, logOne, logSeveral;
  double lead() const { return logOne - logSeveral; }  // above 0: several are faster
};

}  // namespace

GroupPayoff payoffOf(std::span<const SizedTime> one, std::span<const SizedTime> several) {
  std::vector<CommonSize> common;
  for (const SizedTime& each : several) {
    const auto alone = std::ranges::find(one, each.elements, &SizedTime::elements);
    if (alone == one.end() || each.microseconds <= 0 || alone->microseconds <= 0) continue;
    common.push_back({std::log(each.elements), std::log(alone->microseconds), std::log(each.microseconds)});
  }
  if (common.size() < 2) return {};
  if (common.back().lead() <= 0) return {.kind = GroupPayoff::Kind::Never};
  const auto last = std::ranges::find_if(common.rbegin(), common.rend(),
                                         [](const CommonSize& at) { return at.lead() <= 0; });
  if (last == common.rend()) return {.kind = GroupPayoff::Kind::Always};
  const CommonSize &behind = *last, &ahead = *(last - 1);
  const double share = -behind.lead() / (ahead.lead() - behind.lead());
  return {.kind = GroupPayoff::Kind::From,
          .from = {std::exp(std::lerp(behind.logSize, ahead.logSize, share)),
                   std::exp(std::lerp(behind.logSeveral, ahead.logSeveral, share))}};
}

namespace {

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
    case ChangedFigure::EmptyGrid:
      return cost.emptyMicroseconds;
    case ChangedFigure::Time:
      return cost.microseconds;
  }
  return std::nullopt;
}

double quotient(double a, double b) { return b > 1e-9 ? a / b : 1; }

}  // namespace

std::string_view nameOf(ChangedFigure figure) {
  constexpr std::array<std::string_view, kChangedFigures.size()> names{
      "microseconds", "launches",        "blocks",     "instructions",           "wavefronts",
      "conflicts",    "bytes_in_flight", "dram_share", "empty_grid_microseconds"};
  return names[std::size_t(figure)];
}

const Change* RungChange::find(ChangedFigure figure) const {
  const auto found = std::ranges::find(changes, figure, &Change::figure);
  return found == changes.end() ? nullptr : &*found;
}

namespace {

double greatestOf(std::span<const StepDifference> differences) {
  double greatest = 0;
  for (const StepDifference& each : differences) greatest = std::max(greatest, std::abs(each.change));
  return greatest;
}

// What the first grid takes more or less; nullopt: it is the same grid, or that is not certain.
std::optional<double> gridChange(std::span<const StepDifference> steps, const model::CostRecord& before,
                                 const model::CostRecord& after) {
  if (before.launches.empty() || after.launches.empty()) return std::nullopt;
  const auto empty = std::ranges::find(steps, PricedKind::Empty, &StepDifference::kind);
  const model::LaunchCost &was = before.launches.front(), &is = after.launches.front();
  const bool isSame = was.grid == is.grid && was.block == is.block;
  return empty == steps.end() || isSame || !empty->isCertain() ? std::nullopt : std::optional(empty->change);
}

}  // namespace

RungChange changeFrom(const ReductionCost& before, const ReductionCost& after) {
  RungChange change;
  for (const ChangedFigure figure : kChangedFigures) {
    const auto was = valueOf(figure, before), is = valueOf(figure, after);
    if (figure == ChangedFigure::EmptyGrid && arePriced(before) && arePriced(after))
      continue;  // as isNoNews()
    if (was && is) change.changes.push_back({figure, *was, *is});
  }
  change.saved = before.cost.microseconds - after.cost.microseconds;
  const MedianInterval was = medianInterval(before.cost), is = medianInterval(after.cost);
  change.ratio = quotient(after.cost.microseconds, before.cost.microseconds);
  change.ratioLow = quotient(is.low, was.high);
  change.ratioHigh = quotient(is.high, was.low);
  if (!arePriced(before) || !arePriced(after)) return change;
  change.steps = stepDifferences(before.prices->steps, after.prices->steps);
  change.grid = gridChange(change.steps, before.cost, after.cost);
  if (change.agrees()) {
    const bool less = change.saved > 0;
    change.largest = largestDifferences(change.steps, less);
    change.against = largestDifferences(change.steps, !less);
    if (2 * greatestOf(change.against) < greatestOf(change.largest)) change.against.clear();
  }
  const auto ending = [](const ReductionCost& cost) {
    const model::PeelRecord& record = cost.prices->record;
    return quotient(record.wholeMicroseconds, record.cleanMicroseconds) - 1;
  };
  change.endingBefore = ending(before);
  change.endingAfter = ending(after);
  change.stepsAddUp = model::addsUp(before.prices->record) && model::addsUp(after.prices->record);
  return change;
}

}  // namespace stridescope::analysis
