// The session's round as the sentences and maps take it. Pure.
#pragma once

#include "session/session.h"
#include "narration/round_at.h"

namespace stridescope {

// Requires session.run().
inline RoundAt roundAt(const Session& session, unsigned launch, unsigned round) {
  const Run& run = *session.run();
  return {run.trace, run.trace.launches[launch], run.analysis.launches[launch], run.flow[launch], round};
}
inline RoundAt roundAt(const Session& session, unsigned round) {
  return roundAt(session, session.playhead().launch, round);
}
inline RoundAt roundAt(const Session& session) { return roundAt(session, session.playhead().round); }

}  // namespace stridescope
