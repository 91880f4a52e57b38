#include "analysis/loads_in_flight.h"

#include <bit>
#include <map>

namespace stridescope::analysis {

LoadsPerThread loadsPerThread(const model::LaunchTrace& launch, const LaunchAnalysis& analysis) {
  LoadsPerThread most;
  for (const Round& round : analysis.rounds) {
    std::map<std::uint32_t, LoadsPerThread> passes;
    for (const WarpOperation& operation : round.operations) {
      if (operation.warp != 0 || operation.kind != model::EventKind::Load || operation.mask == 0) continue;
      const model::Event& event =
          launch.recorded().events[operation.event[unsigned(std::countr_zero(operation.mask))]];
      if (!event.inGlobal()) continue;
      LoadsPerThread& pass = passes[operation.pass];
      ++pass.loads;
      pass.bytes += event.width();
    }
    for (const auto& [number, loads] : passes)
      if (loads.bytes > most.bytes) most = {loads.loads, loads.bytes, passes.size() > 1};
  }
  return most;
}

}  // namespace stridescope::analysis
