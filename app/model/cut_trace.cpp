#include "model/cut_trace.h"

#include <algorithm>

namespace stridescope::model {

bool isCut(const Trace& trace) {
  return std::ranges::any_of(trace.launches, [](const LaunchTrace& launch) {
    return std::ranges::any_of(launch.blocks, &BlockTrace::cut);
  });
}

}  // namespace stridescope::model
