// The run that questions are about. References: they must outlive it.
#pragma once

#include <vector>

#include "narration/round_at.h"

namespace stridescope::teaching {

// A round of a run.
struct RoundPlace {
  unsigned launch = 0, round = 0;
  friend auto operator<=>(const RoundPlace&, const RoundPlace&) = default;
};

struct AskedRun {
  const model::Trace& trace;
  const analysis::Analysis& analysis;
  const std::vector<std::vector<analysis::RoundFlow>>& flow;  // by launch, by round

  narration::RoundAt at(RoundPlace place) const {
    return narration::roundAt(trace, analysis, flow, place.launch, place.round);
  }
};

}  // namespace stridescope::teaching
