// A run: a trace and everything that is derived from it.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <vector>

#include "analysis/analysis.h"
#include "analysis/data_flow.h"
#include "analysis/round_cycles.h"
#include "analysis/stale_passes.h"
#include "base/memory_limits.h"
#include "base/result.h"
#include "model/clock_record.h"
#include "model/trace.h"

namespace stridescope::session {

// Immutable: jobs and any number of replays share it.
struct Run {
  model::Trace trace;
  analysis::Analysis analysis;
  std::vector<std::vector<analysis::RoundFlow>> flow;         // by launch, by round
  std::vector<std::vector<analysis::PassPlace>> stalePasses;  // by launch
  std::vector<model::ClockRecord> clocks;                     // of the trace's kernel and block size
  std::vector<analysis::LaunchCycles> cycles;                 // by launch, what the clocks say
  std::map<unsigned, analysis::Cycles> reference;             // see reference_cycles.h
};

// An error if no launch has a round: there is nothing to step through. What does not fit into the budget is
// left out of the run, which says so among its problems. Of `clocks` it takes those that tell of the trace,
// of one GPU.
Result<std::shared_ptr<const Run>> makeRun(model::Trace trace, MemoryBudget budget = MemoryBudget(),
                                           std::span<const model::ClockRecord> clocks = {},
                                           std::map<unsigned, analysis::Cycles> reference = {});

}  // namespace stridescope::session
