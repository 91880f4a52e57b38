// Which pass of its round each access belongs to.
#pragma once

#include <vector>

#include "analysis/analysis.h"
#include "analysis/thread_path.h"

namespace stridescope::analysis {

// Sets what the round's operations and the round say of passes, given the positions that WarpOperation::pass
// names so far. Requires all operations of the round.
void numberPasses(const std::vector<Position>& positions, Round& round);

}  // namespace stridescope::analysis
