#include "analysis/run_sums.h"

#include <algorithm>

namespace stridescope::analysis {

RoundSums sumsOf(const Round& round) {
  RoundSums sums;
  for (const Request& request : round.requests) {
    if (request.hasWavefronts()) sums.requests += request.requests;
    sums.wavefronts += request.wavefronts;
    sums.ideal += request.ideal;
    sums.way = std::max(sums.way, request.way);
    sums.sectors += request.sectors;
    sums.idealSectors += request.idealSectors;
  }
  return sums;
}

RunSums sumsOf(const Analysis& analysis) {
  RunSums sums;
  for (const LaunchAnalysis& launch : analysis.launches) {
    sums.races += launch.races.size();
    sums.problems += launch.problems.size();
    sums.rounds += launch.rounds.size();
    for (const Round& round : launch.rounds) {
      const RoundSums own = sumsOf(round);
      sums.blockBarriers += round.endsWith == RoundEnd::BlockBarrier;
      // Not every one ends a round.
      sums.warpBarriers += std::uint64_t(
          std::ranges::count(round.operations, model::EventKind::WarpBarrier, &WarpOperation::kind));
      sums.workingWarps += round.activeWarps;
      sums.partialWarps += round.partialWarps;
      sums.divergentBranches += round.divergentBranches.value_or(0);
      sums.wavefronts += own.wavefronts;
      sums.inStrides += round.kind == RoundKind::Combine ? own.wavefronts : 0;
      sums.inMixedRounds += round.kind == RoundKind::Mixed ? own.wavefronts : 0;
      sums.conflicts += own.wavefronts - own.ideal;
      sums.sectors += own.sectors;
    }
  }
  return sums;
}

}  // namespace stridescope::analysis
