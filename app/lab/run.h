// A run: a trace and everything that is derived from it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/analysis.h"
#include "analysis/data_flow.h"
#include "analysis/pass_view.h"
#include "base/memory_limits.h"
#include "base/result.h"
#include "model/trace.h"
#include "narration/round_at.h"

namespace stridescope::lab {

// What a round is called, though nothing else of it may be told.
struct RoundName {
  unsigned launch = 0, round = 0;
  std::string tick, title, inSentence;  // narration/round_kind.h
  std::optional<std::uint64_t> outputElement{};
};

// Nobody changes a run that others see: jobs and any number of replays share it. For a run that is told round
// by round see session/prediction.h.
struct Run {
  model::Trace trace{};
  analysis::Analysis analysis{};
  std::vector<std::vector<analysis::RoundFlow>> flow{};         // by launch, by round
  std::vector<std::vector<analysis::PassPlace>> stalePasses{};  // by launch: passes that read what races left
  // The rounds that are not told yet, in order, if the run is told round by round; else empty. The first of
  // them may stand in the analysis as an empty one (LaunchAnalysis::hidesLast).
  std::vector<RoundName> toCome{};
  // Where that one passes values by shuffles: what each thread's register holds before it; else empty.
  // nullopt: not known.
  std::vector<std::optional<std::uint64_t>> registersBefore{};

  // The round as a whole, while the run lives. Requires that there is such a round.
  narration::RoundAt at(unsigned launch, std::size_t round) const {
    return narration::roundAt(trace, analysis, flow, launch, round);
  }
};

// Requires a trace without a fault (model/trace_check.h). What does not fit into the budget is left out of
// the run, which says so among its problems.
Run runOf(model::Trace trace, MemoryBudget budget = MemoryBudget());

// The same run, for those who step through it. An error if no launch has a round: there is nothing to step
// through.
Result<std::shared_ptr<const Run>> steppedRun(model::Trace trace, MemoryBudget budget = MemoryBudget());

}  // namespace stridescope::lab
