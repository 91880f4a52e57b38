// One round of one launch with everything that is known about it: what captions and maps are made from.
// References: the trace and what was derived from it must outlive it.
#pragma once

#include <vector>

#include "analysis/analysis.h"
#include "analysis/data_flow.h"
#include "analysis/pass_view.h"
#include "model/trace.h"

namespace stridescope::narration {

struct RoundAt {
  const model::Trace& trace;
  const model::LaunchTrace& launch;
  const analysis::LaunchAnalysis& analysis;      // that launch's
  const std::vector<analysis::RoundFlow>& flow;  // that launch's, one entry per round
  std::size_t index = 0;                         // the round's in the launch
  // One pass of the round, if that alone is told of.
  const analysis::PassView* pass = nullptr;

  const analysis::Round& whole() const { return analysis.rounds[index]; }
  const analysis::Round& round() const { return pass != nullptr ? pass->round : whole(); }
  const analysis::RoundFlow& work() const { return pass != nullptr ? pass->flow : flow[index]; }
  // Whether nothing of the round comes after what is told.
  bool endsTheRound() const { return pass == nullptr || pass->pass + 1 == whole().passes; }
  unsigned warps() const { return model::warpsOf(launch.block); }
};

// A round of a run whose launches are all analysed: `flow` has one entry per launch. The round exists.
inline RoundAt roundAt(const model::Trace& trace, const analysis::Analysis& analysis,
                       const std::vector<std::vector<analysis::RoundFlow>>& flow, unsigned launch,
                       std::size_t round) {
  return {trace, trace.launches[launch], analysis.launches[launch], flow[launch], round};
}

}  // namespace stridescope::narration
