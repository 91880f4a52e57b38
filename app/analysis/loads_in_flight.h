// How many bytes of the input a thread asks for before it needs any of them.
#pragma once

#include "analysis/analysis.h"

namespace stridescope::analysis {

struct LoadsPerThread {
  unsigned loads = 0, bytes = 0;
  // The round loads in other passes, too: in a loop, of which the compiler may have several trips in flight.
  bool inLoop = false;
  friend bool operator==(const LoadsPerThread&, const LoadsPerThread&) = default;
};

// What the first warp's first active lane loads from device memory in one pass, the launch's pass with the
// most bytes: one trip of a loop, or the loads of straight-line code. This follows the text: the compiler may
// unroll a loop, and load more at once. 0: the launch loads nothing.
LoadsPerThread loadsPerThread(const model::LaunchTrace& launch, const LaunchAnalysis& analysis);

}  // namespace stridescope::analysis
