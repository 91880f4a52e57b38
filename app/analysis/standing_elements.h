// Which elements of memory still stand for themselves, seen from before: what was written, until a thread
// combines it into another element. Unlike RoundFlow::liveAfter it is told by the rounds up to here alone and
// gives nothing away of those to come.
#pragma once

#include <vector>

#include "analysis/data_flow.h"
#include "analysis/element_flags.h"

namespace stridescope::analysis {

class StandingElements {
 public:
  using Flags = ElementFlags::Flags;

  // Before the first round nothing in shared memory stands, and everything in the buffers that the block
  // changes in place does. Both arguments must outlive it.
  StandingElements(const model::LaunchTrace& launch, const LaunchAnalysis& analysis);

  // The rounds of the launch, one after the other.
  void pass(const Round& round, const RoundFlow& flow);

  // As RoundFlow::liveAfter and ::deviceLiveAfter have them.
  const std::vector<Flags>& shared() const { return flags_.shared(); }
  const std::vector<Flags>& device() const { return flags_.device(); }

 private:
  const model::LaunchTrace& launch_;
  ElementFlags flags_;
};

}  // namespace stridescope::analysis
