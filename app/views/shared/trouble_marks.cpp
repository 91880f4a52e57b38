#include "views/shared/trouble_marks.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "narration/trouble.h"
#include "views/shared/memory_stage.h"
#include "views/shared/shown_round.h"

namespace stridescope::views {
namespace {

std::optional<std::uint64_t> placeOf(const MemoryStage& stage, const analysis::Race& race) {
  analysis::Operand operand;
  operand.shared = race.shared;
  operand.array = race.array;
  operand.element = race.element;
  if (!stage.holds(operand)) return std::nullopt;
  return stage.placeOf(operand);
}

bool concerns(const analysis::Race& race, const std::optional<std::uint64_t>& element,
              const session::Hover& hover) {
  if (hover.kind == session::HoverKind::Thread)
    return hover.index == race.first.thread || hover.index == race.second.thread;
  return hover.kind == session::HoverKind::Element && element == hover.index;
}

}  // namespace

bool TroubleMarks::thread(std::uint32_t thread) const { return std::ranges::count(threads, thread) != 0; }

bool TroubleMarks::site(std::uint32_t site) const { return std::ranges::count(sites, site) != 0; }

TroubleMarks troubleMarks(const session::Replay& replay) {
  TroubleMarks marks;
  if (!replay.run()) return marks;
  const narration::RoundAt round = roundAt(replay);
  const analysis::LaunchAnalysis& analysis = replay.launchAnalysis();
  if (analysis.races.empty() && analysis.problems.empty()) return marks;
  const MemoryStage stage(replay.launch(), analysis);
  const auto hover = replay.hover();
  bool chosen = false;
  for (const analysis::Race& race : analysis.races) {
    if (!narration::showsIn(round, race)) continue;
    ++marks.races;
    const auto element = placeOf(stage, race);
    const bool hovered = hover && concerns(race, element, *hover);
    if (marks.race != nullptr && (chosen || !hovered)) continue;
    chosen = hovered;
    marks.race = &race;
    marks.element = element;
  }
  if (marks.race != nullptr)
    for (const analysis::Race::Access& access : {marks.race->first, marks.race->second}) {
      marks.threads.push_back(access.thread);
      marks.sites.push_back(access.site);
    }
  for (const model::Problem& problem : analysis.problems) {
    if (!narration::showsIn(round, problem)) continue;
    marks.threads.push_back(problem.thread);
    if (!marks.problemThread) marks.problemThread = problem.thread;
    if (problem.site >= 0) marks.sites.push_back(std::uint32_t(problem.site));
  }
  return marks;
}

std::vector<session::Playhead> troubledPlaces(const session::Replay& replay, unsigned launch) {
  const analysis::LaunchAnalysis& analysis = replay.run()->analysis.launches[launch];
  std::vector<session::Playhead> places;
  if (analysis.rounds.empty()) return places;
  const narration::RoundAt at = roundAt(replay, launch, 0);
  for (const analysis::Race& race : analysis.races)
    if (race.round < analysis.rounds.size()) places.push_back({launch, race.round, race.pass});
  for (const model::Problem& problem : analysis.problems)
    places.push_back({launch, unsigned(narration::roundOf(at, problem)), narration::passOf(at, problem)});
  for (const analysis::PassPlace& stale : replay.run()->stalePasses[launch])
    places.push_back({launch, stale.round, stale.pass});
  return places;
}

std::optional<session::Playhead> nextRace(const session::Replay& replay, int direction) {
  if (!replay.run()) return std::nullopt;
  using Place = std::tuple<unsigned, unsigned, unsigned>;
  std::set<Place> places;
  const auto& launches = replay.run()->analysis.launches;
  for (unsigned launch = 0; launch < launches.size(); ++launch) {
    for (const analysis::Race& race : launches[launch].races)
      if (race.round < launches[launch].rounds.size()) places.emplace(launch, race.round, race.pass);
    for (const analysis::PassPlace& stale : replay.run()->stalePasses[launch])
      places.emplace(launch, stale.round, stale.pass);
  }
  if (places.empty()) return std::nullopt;
  const session::Playhead at = replay.playhead();
  const Place here{at.launch, at.round, at.pass};
  auto found = direction > 0 ? places.upper_bound(here) : places.lower_bound(here);
  if (direction > 0 && found == places.end()) found = places.begin();
  if (direction < 0) found = std::prev(found == places.begin() ? places.end() : found);
  const auto& [launch, round, pass] = *found;
  return session::Playhead{launch, round, pass};
}

}  // namespace stridescope::views
