#include "analysis/round_cycles.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <tuple>

namespace stridescope::analysis {
namespace {

using model::MarkKind;
using model::WarpMarks;

bool leavesMarks(const WarpOperation& operation) {
  using enum model::EventKind;
  const bool marked =
      operation.kind == BlockBarrier || operation.kind == WarpBarrier || operation.kind == Shuffle;
  return marked && (operation.mask & 1) != 0;
}

PricedKind kindOf(const Round& round) {
  if (round.kind == RoundKind::Load) return PricedKind::Load;
  if (round.kind == RoundKind::Write) return PricedKind::Write;
  return round.stride ? PricedKind::Stride : PricedKind::Combine;
}

// Its combining is no step of its own: no mark tells it from the loads.
bool loadsAndCombines(const Round& round) {
  return kindOf(round) == PricedKind::Combine && std::ranges::any_of(round.requests, [](const Request& each) {
           return !each.shared && each.kind == model::EventKind::Load;
         });
}

// To which round the work up to each mark belongs, and at last that behind all of them.
std::vector<unsigned> roundsUpTo(std::span<const MarkedOperation> marked, std::size_t rounds) {
  std::vector<unsigned> upTo;
  unsigned open = 0;  // the round that the warp is in
  for (const MarkedOperation& operation : marked) {
    const bool shuffles = operation.kind == model::EventKind::Shuffle;
    upTo.push_back(shuffles ? open : unsigned(operation.round));
    open = unsigned(operation.round) + (operation.endsRound ? 1 : 0);  // no shuffle ends its round
  }
  upTo.push_back(std::min(open, unsigned(rounds) - 1));
  return upTo;
}

// Two neighbours as one. Their errors are not independent: the intervals add up, which is the most that they
// can be.
void addTo(PricedStep& step, const model::PeelStep& more) {
  step.microseconds += more.microseconds;
  step.low += more.low;
  step.high += more.high;
}

// Marks of the first launch, without that at its end.
std::size_t marksIn(const model::PeelRecord& record) {
  const auto ofFirst = std::ranges::count_if(record.steps, [](const model::PeelStep& step) {
    return step.part == model::PeeledPart::Launch && step.launch == 0;
  });
  return std::size_t(std::max<std::ptrdiff_t>(ofFirst, 2)) - 2;
}

}  // namespace

std::vector<MarkedOperation> markedOperations(const LaunchAnalysis& analysis, std::uint32_t warp) {
  std::vector<MarkedOperation> marked;
  for (std::size_t r = 0; r < analysis.rounds.size(); ++r) {
    const WarpOperation* last = nullptr;
    for (const WarpOperation& operation : analysis.rounds[r].operations) {
      if (operation.warp != warp) continue;
      last = &operation;
      if (leavesMarks(operation)) marked.push_back({r, operation.kind, operation.site, false});
    }
    if (last != nullptr && leavesMarks(*last) && last->kind != model::EventKind::Shuffle)
      marked.back().endsRound = true;
  }
  return marked;
}

namespace {

// What the marks say of each operation: when the warp came to it, and when it went on.
struct Times {
  std::uint64_t arrive = 0, leave = 0;
};

// The times of as many operations as the marks agree with. `whole`: they agree with all, and the warp then
// ends.
struct TimesOfWarp {
  std::vector<Times> times{};
  bool whole = false;
};

TimesOfWarp timesOf(const std::vector<MarkedOperation>& marked, const WarpMarks& marks) {
  TimesOfWarp found;
  std::size_t next = 1;  // behind Start
  const auto take = [&](MarkKind kind, std::uint32_t site) -> const model::Mark* {
    if (next >= marks.size() || marks[next].kind != kind || marks[next].site != site) return nullptr;
    return &marks[next++];
  };
  for (const MarkedOperation& operation : marked) {
    const bool arrives = operation.kind != model::EventKind::WarpBarrier;
    const bool leaves = operation.kind != model::EventKind::Shuffle;
    const model::Mark* const arrive = arrives ? take(MarkKind::Arrive, operation.site) : nullptr;
    if (arrives && arrive == nullptr) return found;
    const model::Mark* const leave = leaves ? take(MarkKind::Leave, operation.site) : nullptr;
    if (leaves && leave == nullptr) return found;
    found.times.push_back({(arrives ? arrive : leave)->clock, (leaves ? leave : arrive)->clock});
  }
  found.whole = next + 1 == marks.size();
  return found;
}

std::uint64_t atQuarter(std::vector<std::uint64_t>& values, std::size_t quarters) {
  const auto at = values.begin() + std::ptrdiff_t((values.size() - 1) * quarters / 4);
  std::ranges::nth_element(values, at);
  return *at;
}

Cycles spreadOf(std::vector<std::uint64_t> values) {
  return {.median = atQuarter(values, 2), .low = atQuarter(values, 1), .high = atQuarter(values, 3)};
}

// `count` rounds, and what the warp does in them.
WarpTimeline roundsOf(std::size_t count, const std::vector<MarkedOperation>& marked, const WarpMarks& marks) {
  WarpTimeline rounds(count);
  if (marks.size() < 2 || rounds.empty()) return rounds;
  const auto [times, whole] = timesOf(marked, marks);
  std::uint64_t begin = marks.front().clock;
  std::size_t open = 0;  // the round that begins there
  for (std::size_t i = 0; i < times.size(); ++i) {
    const MarkedOperation& operation = marked[i];
    // A shuffle closes the round before its own; what the warp did in rounds between is not told apart.
    if (operation.kind == model::EventKind::Shuffle && operation.round > open) {
      rounds[open] = WarpRound{begin, times[i].arrive, times[i].arrive};
      begin = times[i].arrive;
      open = operation.round;
    }
    if (!operation.endsRound) continue;
    rounds[operation.round] = WarpRound{begin, times[i].arrive, times[i].leave};
    begin = times[i].leave;
    open = operation.round + 1;
  }
  const std::uint64_t end = marks.back().clock;
  if (!whole) return rounds;
  if (open < rounds.size())
    rounds[open] = WarpRound{begin, end, end};
  else if (rounds.back())
    rounds.back()->end = end;
  return rounds;
}

// How often a thread goes through a loop over the input: elements per thread, rounded up.
std::uint64_t elementsOfAThread(std::uint64_t elements, std::uint64_t grid, std::uint64_t block) {
  const std::uint64_t threads = std::max<std::uint64_t>(1, grid * block);
  return elements / threads + (elements % threads != 0);
}

// Drops the rounds whose cycles depend on how many elements a thread takes.
void dropLoads(const LaunchAnalysis& analysis, RoundCycles& cycles) {
  for (std::size_t r = 0; r < cycles.rounds.size(); ++r) {
    if (analysis.rounds[r].kind != RoundKind::Load && analysis.rounds[r].kind != RoundKind::Mixed &&
        analysis.rounds[r].passes == 1)
      continue;
    cycles.rounds[r].reset();
    for (WarpTimeline& warp : cycles.warps) warp[r].reset();
  }
  cycles.block = {};
}

}  // namespace

std::vector<std::optional<WarpRound>> roundsOfWarp(const LaunchAnalysis& analysis, std::uint32_t warp,
                                                   const WarpMarks& marks) {
  return roundsOf(analysis.rounds.size(), markedOperations(analysis, warp), marks);
}

std::optional<Cycles> blockCycles(std::span<const WarpMarks> runs) {
  std::vector<std::uint64_t> spans;
  for (const WarpMarks& marks : runs)
    if (marks.size() >= 2) spans.push_back(marks.back().clock - marks.front().clock);
  return spans.empty() ? std::nullopt : std::optional(spreadOf(std::move(spans)));
}

RoundCycles roundCycles(const LaunchAnalysis& analysis, std::span<const WarpMarks> runs) {
  RoundCycles cycles;
  const std::vector<MarkedOperation> marked = markedOperations(analysis, 0);
  std::vector<std::vector<std::uint64_t>> ofRound(analysis.rounds.size());
  for (const WarpMarks& marks : runs) {
    if (marks.size() < 2) continue;
    const auto rounds = roundsOf(analysis.rounds.size(), marked, marks);
    for (std::size_t r = 0; r < rounds.size(); ++r)
      if (rounds[r]) ofRound[r].push_back(rounds[r]->cycles());
  }
  for (std::vector<std::uint64_t>& values : ofRound)
    cycles.rounds.push_back(values.empty() ? std::nullopt : std::optional(spreadOf(std::move(values))));
  cycles.block = blockCycles(runs).value_or(Cycles());
  return cycles;
}

std::map<unsigned, Cycles> cyclesByActiveThreads(const LaunchAnalysis& analysis, const RoundCycles& cycles) {
  std::map<unsigned, Cycles> byActive;
  for (std::size_t r = 0; r < analysis.rounds.size(); ++r)
    if (const Round& round = analysis.rounds[r];
        round.kind == RoundKind::Combine && round.stride && cycles.at(r) != nullptr)
      byActive.emplace(round.activeLanes, *cycles.at(r));
  return byActive;
}

std::vector<model::ClockRecord> ofTheLastsGpu(std::vector<model::ClockRecord> records) {
  if (records.empty()) return records;
  const std::string device = records.back().executor.device;
  std::erase_if(records, [&](const model::ClockRecord& each) { return each.executor.device != device; });
  return records;
}

bool tellsOf(const model::ClockRecord& record, const model::Trace& trace) {
  return model::tellsOf(record, trace.experiment) && record.kernelHash == model::hashOf(trace.kernelText);
}

std::vector<LaunchCycles> cyclesOf(const model::Trace& trace, const Analysis& analysis,
                                   std::span<const model::ClockRecord> records) {
  std::vector<LaunchCycles> cycles(trace.launches.size());
  for (const model::ClockRecord& record : records) {
    if (!tellsOf(record, trace)) continue;
    for (std::size_t i = 0; i < cycles.size(); ++i) {
      RoundCycles of = roundCycles(analysis.launches[i], record.firstWarp);
      for (std::uint32_t warp = 0; warp < record.warps.size(); ++warp)
        of.warps.push_back(roundsOfWarp(analysis.launches[i], warp, record.warps[warp]));
      const model::LaunchTrace& launch = trace.launches[i];
      if (elementsOfAThread(launch.elements, launch.grid, launch.block) !=
          elementsOfAThread(record.elements, record.grid, record.threads))
        dropLoads(analysis.launches[i], of);
      (record.company == model::ClockedGrid::Alone ? cycles[i].alone : cycles[i].inGrid) = std::move(of);
    }
  }
  return cycles;
}

MedianInterval medianInterval(double median, double lowerQuartile, double upperQuartile,
                              std::size_t samples) {
  const double half =
      1.57 * (upperQuartile - lowerQuartile) / std::sqrt(double(std::max(std::size_t{1}, samples)));
  return {std::max(0.0, median - half), median + half};
}

std::string_view nameOf(PricedKind kind) {
  constexpr std::array<std::string_view, kPricedKinds.size()> names{"copy",    "empty", "load",   "stride",
                                                                    "combine", "write", "launch", "cpu"};
  return names[std::size_t(kind)];
}

std::vector<PricedStep> pricedSteps(const model::PeelRecord& record, const LaunchAnalysis& first,
                                    bool blocksDiffer) {
  std::vector<MarkedOperation> marked = markedOperations(first, 0);
  const std::size_t marks = marksIn(record), passedByRun = marked.size();
  if (first.rounds.empty() || marks > passedByRun || (marks < passedByRun && !blocksDiffer)) return {};
  marked.resize(marks);
  const std::vector<unsigned> upTo = roundsUpTo(marked, first.rounds.size());

  std::vector<PricedStep> steps;
  std::size_t cut = 0;  // of the first launch
  for (const model::PeelStep& step : record.steps) {
    PricedStep priced{
        .launch = step.launch, .microseconds = step.microseconds, .low = step.low, .high = step.high};
    if (step.part == model::PeeledPart::Copy) {
      priced.kind = PricedKind::Copy;
    } else if (step.part == model::PeeledPart::Cpu) {
      priced.kind = PricedKind::Cpu;
    } else if (step.launch > 0) {
      priced.kind = PricedKind::Launch;
    } else if (cut++ == 0) {
      priced.kind = PricedKind::Empty;
    } else {
      const unsigned round = upTo[cut - 2];
      const bool isRest = cut - 2 == marks && marks < passedByRun;
      if (steps.back().round == round) {
        addTo(steps.back(), step);
        if (isRest) steps.back().kind = PricedKind::Combine, steps.back().stride.reset();
        continue;
      }
      priced.round = round;
      priced.kind = isRest ? PricedKind::Combine : kindOf(first.rounds[round]);
      const unsigned begin = steps.back().round ? *steps.back().round + 1 : 0;
      if (begin < round && first.rounds[begin].kind == RoundKind::Load)
        priced.kind = PricedKind::Load, priced.withMore = true;
      if (!isRest && loadsAndCombines(first.rounds[round]))
        priced.kind = PricedKind::Load, priced.withMore = true;
      if (priced.kind == PricedKind::Stride) priced.stride = first.rounds[round].stride;
    }
    steps.push_back(priced);
  }
  return steps;
}

std::vector<PricedStep> costliestSteps(std::span<const PricedStep> steps) {
  const PricedStep* costliest = nullptr;
  for (const PricedStep& step : steps)
    if (step.kind != PricedKind::Empty && step.low > 0 &&
        (costliest == nullptr || step.microseconds > costliest->microseconds))
      costliest = &step;
  std::vector<PricedStep> most;
  if (costliest == nullptr) return most;
  std::ranges::copy_if(steps, std::back_inserter(most), [&](const PricedStep& step) {
    const bool isAsHigh =
        step.high >= costliest->low || step.microseconds > costliest->microseconds - kBetweenMeasurements;
    return step.kind != PricedKind::Empty && step.low > 0 && isAsHigh &&
           2 * step.microseconds >= costliest->microseconds;
  });
  return most;
}

std::vector<StepDifference> stepDifferences(std::span<const PricedStep> before,
                                            std::span<const PricedStep> after) {
  std::vector<StepDifference> differences;
  auto place = differences.begin();  // behind the step of the side that was added last
  const auto entryOf = [&](const PricedStep& step) -> StepDifference& {
    auto found = std::ranges::find_if(differences, [&](const StepDifference& each) {
      return std::tie(each.kind, each.stride) == std::tie(step.kind, step.stride);
    });
    if (found == differences.end())
      found = differences.insert(place, {.kind = step.kind, .stride = step.stride});
    place = std::next(found);
    return *found;
  };
  for (const PricedStep& step : before) {
    StepDifference& entry = entryOf(step);
    entry.withMore |= step.withMore;
    entry.before = entry.before.value_or(0) + step.microseconds;
    entry.low -= step.high, entry.high -= step.low;
  }
  place = differences.begin();
  for (const PricedStep& step : after) {
    StepDifference& entry = entryOf(step);
    entry.withMore |= step.withMore;
    entry.after = entry.after.value_or(0) + step.microseconds;
    entry.low += step.low, entry.high += step.high;
  }
  const auto countOf = [](std::span<const PricedStep> steps, const StepDifference& each) {
    return unsigned(std::ranges::count_if(steps, [&](const PricedStep& step) {
      return std::tie(each.kind, each.stride) == std::tie(step.kind, step.stride);
    }));
  };
  for (StepDifference& each : differences)
    each.prices = std::max(countOf(before, each), countOf(after, each));
  for (StepDifference& each : differences) each.change = each.after.value_or(0) - each.before.value_or(0);
  return differences;
}

double changeOf(std::span<const StepDifference> differences) {
  double sum = 0;
  for (const StepDifference& each : differences) sum += each.change;
  return sum;
}

std::vector<StepDifference> largestDifferences(std::span<const StepDifference> differences, bool less) {
  double most = 0;
  const auto counts = [&](const StepDifference& each) {
    return each.kind != PricedKind::Empty && each.isCertain() && (each.change < 0) == less;
  };
  for (const StepDifference& each : differences)
    if (counts(each)) most = std::max(most, std::abs(each.change));
  std::vector<StepDifference> largest;
  std::ranges::copy_if(differences, std::back_inserter(largest), [&](const StepDifference& each) {
    return counts(each) && 2 * std::abs(each.change) >= most;
  });
  return largest;
}

}  // namespace stridescope::analysis
