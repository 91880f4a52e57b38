#include "analysis/analysis.h"

#include <algorithm>

#include "analysis/canonical_order.h"
#include "analysis/exchanges.h"
#include "analysis/lanes.h"
#include "analysis/output_elements.h"
#include "analysis/problems.h"
#include "analysis/races.h"
#include "analysis/requests.h"
#include "analysis/rounds.h"
#include "analysis/snapshots.h"
#include "analysis/stride.h"
#include "analysis/warp_operations.h"

namespace stridescope {
namespace {

// Without shared memory the snapshot is that of device memory, which is always replayed.
void nameReplayedSnapshots(const LaunchTrace& launch, LaunchAnalysis& analysis) {
  if (!launch.shared.empty() || analysis.deviceMemory.windows.empty()) return;
  for (Round& round : analysis.rounds) round.snapshot.from = SnapshotFrom::Replayed;
}

LaunchAnalysis analyseLaunch(const Trace& trace, const LaunchTrace& launch, const SiteTable& sites) {
  LaunchAnalysis analysis;
  const auto order = canonicalOrder(launch, sites);
  analysis.rounds = cutIntoRounds(launch, lineUpWarps(launch, sites, order));
  findLaneStates(launch, analysis.rounds);
  findSnapshots(launch, analysis.rounds);
  for (Round& round : analysis.rounds) {
    for (WarpOperation& operation : round.operations) findMemoryUse(launch, operation);
    round.divergentBranches = countDivergentBranches(round);
    round.requests = sumRequests(launch, round);
    round.stride = findStride(launch, round);
  }
  findExchanges(trace, launch, analysis.rounds);
  findOutputElements(launch, analysis.rounds);
  analysis.deviceMemory = followDeviceMemory(launch, analysis.rounds);
  nameReplayedSnapshots(launch, analysis);
  analysis.races = findRaces(launch, analysis.rounds);
  analysis.totals = totalsOf(analysis.rounds);
  analysis.problems = findProblems(trace, launch, analysis.rounds);
  return analysis;
}

}  // namespace

bool usesShared(const LaunchAnalysis& analysis) {
  return std::ranges::any_of(analysis.rounds, [](const Round& round) {
    return std::ranges::any_of(round.requests, &Request::shared);
  });
}

Analysis analyse(const Trace& trace) {
  const SiteTable sites(trace);
  Analysis analysis;
  analysis.launches.reserve(trace.launches.size());
  for (const LaunchTrace& launch : trace.launches) {
    analysis.launches.push_back(analyseLaunch(trace, launch, sites));
    analysis.totals = analysis.totals + analysis.launches.back().totals;
  }
  return analysis;
}

}  // namespace stridescope
