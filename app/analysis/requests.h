// What a round asked of shared and of device memory.
#pragma once

#include <vector>

#include "analysis/analysis.h"

namespace stridescope::analysis {

// Fills in banks and sectors of the operation if it is an access.
void findMemoryUse(const model::LaunchTrace& launch, WarpOperation& operation);

// One request a site, kind and space, summed over warps and repeats, by site and then by kind. Needs the
// memory use of the round's operations.
std::vector<Request> sumRequests(const model::LaunchTrace& launch, const Round& round);

Totals totalsOf(const Round& round);
Totals totalsOf(const std::vector<Round>& rounds);
Totals operator+(const Totals& a, const Totals& b);

}  // namespace stridescope::analysis
