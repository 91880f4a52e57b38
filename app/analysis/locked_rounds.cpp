#include "analysis/locked_rounds.h"

#include <algorithm>
#include <deque>
#include <map>
#include <tuple>

namespace stridescope::analysis {
namespace {

const std::vector<Round>& roundsOf(const Analysis& analysis, std::size_t launch) {
  static const std::vector<Round> none;
  return launch < analysis.launches.size() ? analysis.launches[launch].rounds : none;
}

// Rounds that stand beside each other have the same step; in a merge, they serve the same element. A distance
// between the elements that a thread loads is no stride of the reduction.
auto stepOf(const Round& round) {
  const bool hasStride = round.kind != RoundKind::Load && round.kind != RoundKind::Write;
  return std::tuple(round.kind, hasStride ? round.stride : std::nullopt, round.outputElement);
}

void lockByRound(unsigned launch, std::size_t left, std::size_t right, std::vector<LockedRound>& locked) {
  for (unsigned round = 0; round < std::max(left, right); ++round) {
    LockedRound both{.launch = launch};
    if (round < left) both.round.left = round;
    if (round < right) both.round.right = round;
    locked.push_back(both);
  }
}

// Takes the first that waits there.
template <class Waiting, class Step>
std::optional<unsigned> takeFirst(Waiting& waiting, const Step& step) {
  const auto found = waiting.find(step);
  if (found == waiting.end() || found->second.empty()) return std::nullopt;
  const unsigned round = found->second.front();
  found->second.pop_front();
  return round;
}

void lockByStride(unsigned launch, const std::vector<Round>& left, const std::vector<Round>& right,
                  std::vector<LockedRound>& locked) {
  using Step = decltype(stepOf(left.front()));
  std::map<Step, std::deque<unsigned>> waiting;
  for (unsigned round = 0; round < right.size(); ++round) waiting[stepOf(right[round])].push_back(round);
  std::vector<bool> taken(right.size());
  std::vector<LockedRound> ofLaunch;
  for (unsigned round = 0; round < left.size(); ++round) {
    LockedRound both{.launch = launch, .round = {.left = round}};
    both.round.right = takeFirst(waiting, stepOf(left[round]));
    if (both.round.right) taken[*both.round.right] = true;
    ofLaunch.push_back(both);
  }
  // What the right one has alone comes after what it did before.
  for (unsigned round = 0; round < right.size(); ++round) {
    if (taken[round]) continue;
    auto at = ofLaunch.begin();
    if (round > 0)
      at = std::ranges::find(ofLaunch, std::optional(round - 1),
                             [](const LockedRound& each) { return each.round.right; }) +
           1;
    ofLaunch.insert(at, {.launch = launch, .round = {.right = round}});
  }
  locked.insert(locked.end(), ofLaunch.begin(), ofLaunch.end());
}

}  // namespace

std::vector<LockedRound> lockedRounds(const Analysis& left, const Analysis& right, LockedBy by) {
  std::vector<LockedRound> locked;
  const std::size_t launches = std::max(left.launches.size(), right.launches.size());
  for (unsigned launch = 0; launch < launches; ++launch) {
    const auto& leftRounds = roundsOf(left, launch);
    const auto& rightRounds = roundsOf(right, launch);
    if (by == LockedBy::Round)
      lockByRound(launch, leftRounds.size(), rightRounds.size(), locked);
    else
      lockByStride(launch, leftRounds, rightRounds, locked);
  }
  return locked;
}

RoundOfRun lastState(const Analysis& analysis, unsigned launch) {
  for (unsigned before = std::min(launch + 1, unsigned(analysis.launches.size())); before-- > 0;)
    if (const auto& rounds = analysis.launches[before].rounds; !rounds.empty())
      return {before, unsigned(rounds.size()) - 1};
  const auto first = std::ranges::find_if(analysis.launches,
                                          [](const LaunchAnalysis& each) { return !each.rounds.empty(); });
  return {unsigned(first - analysis.launches.begin()), 0};
}

}  // namespace stridescope::analysis
