// The passes in which a trace itself tells that threads race.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/analysis.h"
#include "analysis/data_flow.h"

namespace stridescope::analysis {

struct PassPlace {
  std::uint32_t round = 0, pass = 0;
  friend bool operator==(const PassPlace&, const PassPlace&) = default;
};

// The passes in which a thread read what the passes before had not left there (Operand::left), in order. Only
// rounds in which threads race in shared memory are looked at. A round of more than kMaxPassesWalked passes,
// or with more than kMaxThreadsCached threads in all its passes together, is passed over. The arguments are
// what PassViewer requires.
std::vector<PassPlace> findStalePasses(const model::Trace& trace, const model::LaunchTrace& launch,
                                       const LaunchAnalysis& analysis, const std::vector<RoundFlow>& flow);

}  // namespace stridescope::analysis
