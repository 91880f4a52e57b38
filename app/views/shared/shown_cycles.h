// What the rounds of the shown run cost in cycles, where a GPU has clocked its block. Pure.
#pragma once

#include <string>

#include "narration/cycles_sentence.h"
#include "session/replay.h"

namespace stridescope::views {

// Requires replay.run(). nullptr: nothing is known of the round alone.
inline const analysis::Cycles* cyclesAlone(const session::Replay& replay, unsigned launch,
                                           std::size_t round) {
  return replay.run()->cycles[launch].alone.at(round);
}

// A sentence; empty: nothing is known.
inline std::string cyclesSentence(const session::Replay& replay, unsigned launch, std::size_t round) {
  const session::Run& run = *replay.run();
  if (run.clocks.empty()) return {};
  return narration::cyclesSentence(run.cycles[launch], round, run.clocks.back().executor.device);
}

}  // namespace stridescope::views
