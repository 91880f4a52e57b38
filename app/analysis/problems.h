// What is wrong with a run although it ended: found in the trace, where an engine cannot see it while it
// runs.
#pragma once

#include <vector>

#include "analysis/analysis.h"

namespace stridescope::analysis {

// The engine's problems, and those found here: threads that waited at different block barriers for each
// other, and shuffles that read a lane which took no part (one per site; none where the engine reported that
// kind there). Then, snapshots that were left out (snapshots.h).
std::vector<model::Problem> findProblems(const model::Trace& trace, const model::LaunchTrace& launch,
                                         const std::vector<Round>& rounds);

}  // namespace stridescope::analysis
