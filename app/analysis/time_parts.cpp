#include "analysis/time_parts.h"

#include <algorithm>

namespace stridescope::analysis {
namespace {

using model::Counter;

constexpr double kNanosecondsPerMicrosecond = 1e3;

// How many microseconds all multiprocessors together need for `amount`; each of them does `rate` in a cycle.
double microsecondsOf(double amount, double rate, const model::GpuLimits& limits) {
  const double perMicrosecond = rate * limits.multiprocessors * limits.clockMegahertz;
  return perMicrosecond > 0 ? amount / perMicrosecond : 0;
}

// At the bandwidth that the loads in flight allow, beyond what memory takes at its own. Not known of a loop,
// nor where it is longer than the reduction took: the compiler has more loads in flight than the text asks
// for at once.
double waitingForLoads(const ReductionCost& reduction) {
  const double needed = bytesNeededInFlight(reduction.cost.limits), has = bytesInFlight(reduction);
  if (reduction.loads.inLoop || needed <= 0 || has <= 0 || has >= needed) return 0;
  const double atPeak = double(inputBytes(reduction.cost)) / reduction.cost.limits.readGigabytesPerSecond /
                        kNanosecondsPerMicrosecond;
  const double time = atPeak * needed / has;
  return time <= reduction.cost.microseconds ? time : 0;
}

double conflicts(const ReductionCost& reduction) {
  return counted(reduction, Counter::SharedLoadConflicts) + counted(reduction, Counter::SharedStoreConflicts);
}

double wavefronts(const ReductionCost& reduction) {
  return counted(reduction, Counter::SharedLoadWavefronts) +
         counted(reduction, Counter::SharedStoreWavefronts);
}

double timeOf(LimitKind kind, const ReductionCost& reduction) {
  const model::GpuLimits& limits = reduction.cost.limits;
  switch (kind) {
    case LimitKind::LoadsInFlight:
      return waitingForLoads(reduction);
    case LimitKind::Instructions:
      return microsecondsOf(counted(reduction, Counter::Instructions), kSchedulers, limits);
    case LimitKind::SharedMemory:
      return microsecondsOf(std::max(0.0, wavefronts(reduction) - conflicts(reduction)), 1, limits);
    case LimitKind::BankConflicts:
      return microsecondsOf(conflicts(reduction), 1, limits);
    case LimitKind::Barriers:
      return barrierShare(reduction) *
             std::max(0.0, reduction.cost.microseconds - reduction.cost.limits.launchMicroseconds);
    case LimitKind::Tail:
      return reduction.firstLaunch && reduction.firstLaunch->waves > 1
                 ? double(reduction.firstLaunch->tail().length()) / kNanosecondsPerMicrosecond
                 : 0;
  }
  return 0;
}

}  // namespace

std::string_view nameOf(LimitKind kind) {
  constexpr std::array<std::string_view, kLimitKinds.size()> names{
      "loads_in_flight", "instructions", "shared_memory", "bank_conflicts", "barriers", "tail"};
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

TimeParts timePartsOf(const ReductionCost& reduction) {
  const model::CostRecord& cost = reduction.cost;
  TimeParts parts{.total = cost.microseconds, .launching = cost.emptyMicroseconds};
  if (cost.limits.readGigabytesPerSecond > 0)
    parts.memory = double(inputBytes(cost)) / cost.limits.readGigabytesPerSecond / kNanosecondsPerMicrosecond;
  for (const LimitKind kind : kLimitKinds)
    if (const double time = timeOf(kind, reduction); time > 0) parts.limits.push_back({kind, time});
  std::ranges::stable_sort(parts.limits, std::ranges::greater{}, &Limit::microseconds);
  return parts;
}

double TimeParts::unexplained() const {
  const double covered = limits.empty() ? 0 : limits.front().microseconds;
  return std::max(0.0, rest() - covered);
}

bool TimeParts::isExplained() const { return unexplained() <= kUnexplainedShare * total; }

}  // namespace stridescope::analysis
