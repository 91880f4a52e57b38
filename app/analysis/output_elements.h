// A merge writes its output one element after another, each found by a reduction of its own. Here its rounds
// are grouped by the element that they serve.
#pragma once

#include <vector>

#include "analysis/analysis.h"

namespace stridescope::analysis {

// The buffer that a merge writes its values to, by the name that its parameter has (kernels/run_plan.h).
inline constexpr std::string_view kMergedBuffer = "merged";

// Fills in the rounds' output elements: of each round the element that it writes, else the next one that is
// written after it; in a trace that was cut, the rounds after the last write serve the element after that
// one. A launch without such a buffer is left as it is. Needs the rounds' operations.
void findOutputElements(const model::LaunchTrace& launch, std::vector<Round>& rounds);

}  // namespace stridescope::analysis
