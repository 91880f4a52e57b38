#include "handout/places.h"

#include "analysis/pass_view.h"

namespace stridescope::handout {

std::vector<Place> placesIn(const lab::Run& run, const Rounds& rounds) {
  std::vector<Place> places;
  for (unsigned launch = 0; launch < run.analysis.launches.size(); ++launch) {
    const auto& all = run.analysis.launches[launch].rounds;
    for (unsigned round = 0; round < all.size(); ++round)
      for (unsigned pass = 0; rounds.contains(round) && pass < all[round].passes; ++pass)
        places.push_back({launch, round, pass});
  }
  return places;
}

std::size_t roundsIn(const lab::Run& run, const Rounds& rounds) {
  std::size_t count = 0;
  for (const analysis::LaunchAnalysis& launch : run.analysis.launches)
    for (std::size_t round = 0; round < launch.rounds.size(); ++round)
      count += rounds.contains(round) ? 1 : 0;
  return count;
}

void tellOf(const lab::Run& run, const Place& place,
            const std::function<void(const narration::RoundAt&)>& tell) {
  narration::RoundAt at = run.at(place.launch, place.round);
  analysis::PassViewer viewer(run.trace, at.launch, at.analysis, at.flow);
  const auto pass = viewer.view(place.round, place.pass);
  at.pass = pass ? &*pass : nullptr;
  tell(at);
}

}  // namespace stridescope::handout
