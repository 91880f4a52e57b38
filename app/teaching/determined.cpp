#include "teaching/determined.h"

#include <algorithm>
#include <optional>

#include "analysis/event_groups.h"
#include "narration/trouble.h"

namespace stridescope::teaching {
namespace {

bool isOfElements(const model::LaunchTrace& launch, bool shared, std::uint32_t array) {
  return (shared ? launch.recorded().shared : launch.buffers)[array].type.has_value();
}

void afterRaces(const narration::RoundAt& at, Determined& determined) {
  const bool merges = model::indexOfRole(at.launch.buffers, model::ParameterRole::Merged).has_value();
  for (const analysis::Race& race : at.analysis.races) {
    if (std::min(race.first.round, race.second.round) > at.index) continue;
    determined.values = false;
    if (merges || !isOfElements(at.launch, race.shared, race.array))
      determined.lanes = determined.arrivals = false;
  }
}

void afterProblems(const narration::RoundAt& at, Determined& determined) {
  for (const model::Problem& problem : at.analysis.problems) {
    if (narration::roundOf(at, problem) > at.index) continue;
    determined.values = false;
    if (problem.kind == model::ProblemKind::UndefinedShuffle) continue;
    determined.lanes = false;
    // Who comes to a barrier in a branch follows from the text, whatever becomes of those who wait there.
    if (problem.kind != model::ProblemKind::DivergentBarrier) determined.arrivals = false;
  }
}

void afterAtomics(const narration::RoundAt& at, Determined& determined) {
  for (std::size_t index = 0; index <= at.index; ++index)
    for (const analysis::Request& request : at.analysis.rounds[index].requests) {
      if (request.kind != model::EventKind::Atomic) continue;
      const analysis::WarpOperation& operation =
          at.analysis.rounds[index].operations[request.operations.front()];
      const model::Event& event = analysis::firstEventOf(operation, at.launch);
      const std::uint32_t array = event.inShared() ? event.sharedArray() : event.buffer();
      if (!isOfElements(at.launch, event.inShared(), array)) determined = {false, false, false};
    }
}

// CUDA does not say who meets whom behind two barriers that threads waited at together.
void afterBarriers(const narration::RoundAt& at, Determined& determined) {
  for (std::size_t index = 0; index < at.index; ++index) {
    std::optional<std::uint32_t> site;
    for (const analysis::WarpOperation& operation : at.analysis.rounds[index].operations) {
      if (operation.kind != model::EventKind::BlockBarrier) continue;
      if (operation.site != site.value_or(operation.site)) determined.arrivals = false;
      site = operation.site;
    }
  }
}

void leave(const narration::RoundAt& at, Determined& determined) {
  afterRaces(at, determined);
  afterProblems(at, determined);
  afterAtomics(at, determined);
  afterBarriers(at, determined);
  if (at.launch.recorded().cut && at.index + 1 == at.analysis.rounds.size())
    determined = {false, false, false};
}

}  // namespace

Determined determinedIn(const AskedRun& run, RoundPlace place) {
  Determined determined;
  for (unsigned launch = 0; launch < place.launch; ++launch)
    if (const std::size_t rounds = run.analysis.launches[launch].rounds.size(); rounds > 0)
      leave(run.at({launch, unsigned(rounds) - 1}), determined);
  leave(run.at(place), determined);
  return determined;
}

}  // namespace stridescope::teaching
