// What a round costs, once everything is derived from it: memory, and threads that derive it.
#pragma once

#include <cstdint>

#include "analysis/analysis.h"

namespace stridescope::analysis {

// Bytes, rounded up: the round with its operations, lanes, snapshot and exchanges, and its data flow
// (data_flow.h). Needs the round's operations alone.
std::uint64_t costOf(const model::LaunchTrace& launch, const Round& round);

// For inParallel over the rounds of a launch: 1 where starting threads takes longer than the work.
inline unsigned threadsFor(const model::LaunchTrace& launch) {
  constexpr std::size_t kFewEvents = std::size_t{1} << 18;
  return launch.recorded().events.size() < kFewEvents ? 1 : 0;
}

}  // namespace stridescope::analysis
