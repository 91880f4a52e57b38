// One round of one launch with everything that is known about it: what captions and maps are made from.
// References: the trace and what was derived from it must outlive it.
#pragma once

#include <vector>

#include "analysis/analysis.h"
#include "analysis/data_flow.h"
#include "model/trace.h"

namespace stridescope {

struct RoundAt {
  const Trace& trace;
  const LaunchTrace& launch;
  const LaunchAnalysis& analysis;      // of that launch
  const std::vector<RoundFlow>& flow;  // of that launch, one entry a round
  std::size_t index = 0;               // of the round in the launch

  const Round& round() const { return analysis.rounds[index]; }
  const RoundFlow& work() const { return flow[index]; }
  unsigned warps() const { return (launch.block + kWarpSize - 1) / kWarpSize; }
};

}  // namespace stridescope
