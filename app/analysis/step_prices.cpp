#include "analysis/step_prices.h"

#include <algorithm>

#include "analysis/round_cycles.h"

namespace stridescope::analysis {
namespace {

PricedKind kindOf(const Round& round) {
  if (round.kind == RoundKind::Load) return PricedKind::Load;
  if (round.kind == RoundKind::Write) return PricedKind::Write;
  return round.stride ? PricedKind::Stride : PricedKind::Combine;
}

// To which round the work up to each mark belongs, and at last that behind all of them.
std::vector<unsigned> roundsUpTo(const std::vector<MarkedOperation>& marked, std::size_t rounds) {
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

}  // namespace

std::string_view nameOf(PricedKind kind) {
  constexpr std::array<std::string_view, kPricedKinds.size()> names{"empty",   "load",  "stride",
                                                                    "combine", "write", "launch"};
  return names[std::size_t(kind)];
}

std::vector<PricedStep> pricedSteps(const model::PeelRecord& record, const LaunchAnalysis& first) {
  const std::vector<MarkedOperation> marked = markedOperations(first, 0);
  const auto ofFirst = std::size_t(
      std::ranges::count(record.steps, 0u, [](const model::PeelStep& step) { return step.launch; }));
  if (first.rounds.empty() || ofFirst != marked.size() + 2) return {};
  const std::vector<unsigned> upTo = roundsUpTo(marked, first.rounds.size());

  std::vector<PricedStep> steps;
  for (std::size_t i = 0; i < record.steps.size(); ++i) {
    const model::PeelStep& step = record.steps[i];
    PricedStep priced{
        .launch = step.launch, .microseconds = step.microseconds, .low = step.low, .high = step.high};
    if (i == 0) {
      priced.kind = PricedKind::Empty;
    } else if (step.launch > 0) {
      priced.kind = PricedKind::Launch;
    } else {
      const unsigned round = upTo[i - 1];
      if (steps.back().round == round) {
        addTo(steps.back(), step);
        continue;
      }
      priced.round = round;
      priced.kind = kindOf(first.rounds[round]);
      if (priced.kind == PricedKind::Stride) priced.stride = first.rounds[round].stride;
    }
    steps.push_back(priced);
  }
  return steps;
}

}  // namespace stridescope::analysis
