// A run: a trace and everything that is derived from it.
#pragma once

#include <memory>
#include <vector>

#include "analysis/analysis.h"
#include "analysis/data_flow.h"
#include "analysis/stale_passes.h"
#include "base/memory_limits.h"
#include "base/result.h"
#include "model/trace.h"

namespace stridescope::session {

// Immutable: jobs and any number of replays share it.
struct Run {
  model::Trace trace;
  analysis::Analysis analysis;
  std::vector<std::vector<analysis::RoundFlow>> flow;         // by launch, by round
  std::vector<std::vector<analysis::PassPlace>> stalePasses;  // by launch
};

// An error if no launch has a round: there is nothing to step through. What does not fit into the budget is
// left out of the run, which says so among its problems.
Result<std::shared_ptr<const Run>> makeRun(model::Trace trace, MemoryBudget budget = MemoryBudget());

}  // namespace stridescope::session
