#include "analysis/step_prices.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <tuple>

#include "analysis/round_cycles.h"

namespace stridescope::analysis {
namespace {

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
