// A merge writes its output one element after another, each found by a reduction of its own. Here its rounds
// are grouped by the element that they serve.
#pragma once

#include <optional>
#include <vector>

#include "analysis/analysis.h"

namespace stridescope::analysis {

// Fills in each round's output element: the element that it writes, else the next one that is written after
// it; in a trace that was cut, the rounds after the last write serve the element after that one. A launch
// without a buffer of the role Merged is left as it is. Needs the rounds' operations.
void findOutputElements(const model::LaunchTrace& launch, std::vector<Round>& rounds);

// The arrays out of which come the values that are stored to the buffers of the roles Merged and Origin.
// Needs the kernel's model.
std::optional<HeadArrays> findHeadArrays(const model::Trace& trace, const model::LaunchTrace& launch);

}  // namespace stridescope::analysis
