// Before format 8 a trace had the loads within an expression in the order that the compiler of the time had
// chosen for them. Where such a trace is read, they are put in the order of the text, as a new trace has them
// from the start; nothing else in the program knows of the other order.
#pragma once

#include <vector>

#include "model/trace.h"

namespace stridescope::archive {

// Sorts, in each thread, each run of loads of one statement in which every site comes once: by site. All
// other events stay where they are, and the two halves of a 16-byte load stay together. `sites` are those of
// the launch's trace, which holds together (model::faultOf).
void putLoadsInOrder(model::LaunchTrace& launch, const std::vector<model::Site>& sites);

}  // namespace stridescope::archive
