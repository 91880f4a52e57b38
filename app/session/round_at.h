// A round of a run as sentences, questions and maps take it. The run must outlive it. Pure.
#pragma once

#include "narration/round_at.h"
#include "session/replay.h"

namespace stridescope::session {

// What the replay shows: the shown pass of the round, if it has several. Requires replay.run().
inline narration::RoundAt shownRound(const Replay& replay) {
  narration::RoundAt at = replay.run()->at(replay.playhead().launch, replay.playhead().round);
  at.pass = replay.shownPass();
  return at;
}

}  // namespace stridescope::session
