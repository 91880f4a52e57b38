// A round of a run as sentences, questions and maps take it. The run must outlive it. Pure.
#pragma once

#include "narration/round_at.h"
#include "session/replay.h"
#include "session/run.h"

namespace stridescope::session {

// The round as a whole.
inline narration::RoundAt roundAt(const Run& run, unsigned launch, std::size_t round) {
  return narration::roundAt(run.trace, run.analysis, run.flow, launch, round);
}

// What the replay shows: the shown pass of the round, if it has several. Requires replay.run().
inline narration::RoundAt shownRound(const Replay& replay) {
  narration::RoundAt at = roundAt(*replay.run(), replay.playhead().launch, replay.playhead().round);
  at.pass = replay.shownPass();
  return at;
}

}  // namespace stridescope::session
