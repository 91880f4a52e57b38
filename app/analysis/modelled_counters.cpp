#include "analysis/modelled_counters.h"

#include <algorithm>

namespace stridescope::analysis {
namespace {

// Atomics in shared memory take wavefronts that the bank rule does not tell.
bool hasSharedAtomics(const LaunchAnalysis& analysis) {
  return std::ranges::any_of(analysis.rounds, [](const Round& round) {
    return std::ranges::any_of(round.requests, [](const Request& request) {
      return request.kind == model::EventKind::Atomic && request.shared;
    });
  });
}

}  // namespace

std::optional<double> modelled(model::Counter counter, const model::LaunchTrace& launch,
                               const LaunchAnalysis& analysis) {
  if (launch.grid != 1 || launch.recorded().cut || hasSharedAtomics(analysis)) return std::nullopt;
  const Totals& totals = analysis.totals;
  switch (counter) {
    case model::Counter::SharedLoadWavefronts:
      return double(totals.loadWavefronts);
    case model::Counter::SharedStoreWavefronts:
      return double(totals.storeWavefronts);
    case model::Counter::SharedLoadConflicts:
      return double(totals.loadConflicts);
    case model::Counter::SharedStoreConflicts:
      return double(totals.storeConflicts);
    default:
      return std::nullopt;
  }
}

}  // namespace stridescope::analysis
