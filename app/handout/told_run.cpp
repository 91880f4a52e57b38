#include "handout/told_run.h"

#include <algorithm>

#include "analysis/pass_view.h"

namespace stridescope::handout {

ToldRun::ToldRun(model::Trace trace)
    : trace_(std::move(trace)),
      analysis_(analysis::analyse(trace_)),
      flow_(analysis::findDataFlow(trace_, analysis_)) {
  for (std::size_t i = 0; i < trace_.launches.size(); ++i) {
    const analysis::LaunchAnalysis& launch = analysis_.launches[i];
    stale_.push_back(analysis::findStalePasses(trace_, trace_.launches[i], launch, flow_[i]));
  }
}

void ToldRun::takeCycles(std::vector<analysis::LaunchCycles> launches, std::string origin) {
  cycles_ = std::move(launches);
  cyclesOrigin_ = std::move(origin);
}

const analysis::LaunchCycles& ToldRun::cycles(unsigned launch) const {
  static const analysis::LaunchCycles nothing;
  return launch < cycles_.size() ? cycles_[launch] : nothing;
}

std::vector<Place> ToldRun::placesIn(const Rounds& rounds) const {
  std::vector<Place> places;
  for (unsigned launch = 0; launch < analysis_.launches.size(); ++launch) {
    const auto& all = analysis_.launches[launch].rounds;
    for (unsigned round = 0; round < all.size(); ++round)
      for (unsigned pass = 0; rounds.contains(round) && pass < all[round].passes; ++pass)
        places.push_back({launch, round, pass});
  }
  return places;
}

std::size_t ToldRun::roundsIn(const Rounds& rounds) const {
  std::size_t count = 0;
  for (const analysis::LaunchAnalysis& launch : analysis_.launches)
    for (std::size_t round = 0; round < launch.rounds.size(); ++round)
      count += rounds.contains(round) ? 1 : 0;
  return count;
}

narration::RoundAt ToldRun::roundAt(unsigned launch, std::size_t round) const {
  return narration::roundAt(trace_, analysis_, flow_, launch, round);
}

void ToldRun::tellOf(const Place& place, const std::function<void(const narration::RoundAt&)>& tell) const {
  narration::RoundAt at = roundAt(place.launch, place.round);
  analysis::PassViewer viewer(trace_, at.launch, at.analysis, at.flow);
  const auto pass = viewer.view(place.round, place.pass);
  at.pass = pass ? &*pass : nullptr;
  tell(at);
}

}  // namespace stridescope::handout
