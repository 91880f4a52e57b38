// C++ leaves the order of loads within a statement to the compiler, so two engines may log them differently.
// Here they are put in one order: by site.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/site_table.h"
#include "model/trace.h"

namespace stridescope::analysis {

// A permutation of the launch's events that stays within each thread: result[i] is the index of the event
// that stands at place i. Each run of loads of one statement, in which every site comes once, is sorted by
// site; all other events stay where they are. The two halves of a 16-byte load stay together.
std::vector<std::uint32_t> canonicalOrder(const model::LaunchTrace& launch, const SiteTable& sites);

}  // namespace stridescope::analysis
