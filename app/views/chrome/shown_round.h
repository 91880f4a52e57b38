// The session's round as the sentences and maps take it. Pure.
#pragma once

#include "narration/round_at.h"
#include "session/session.h"

namespace stridescope::views {

// Requires session.run().
inline narration::RoundAt roundAt(const session::Session& session, unsigned launch, unsigned round) {
  const session::Run& run = *session.run();
  return {run.trace, run.trace.launches[launch], run.analysis.launches[launch], run.flow[launch], round};
}
inline narration::RoundAt roundAt(const session::Session& session, unsigned round) {
  return roundAt(session, session.playhead().launch, round);
}
inline narration::RoundAt roundAt(const session::Session& session) {
  return roundAt(session, session.playhead().round);
}

}  // namespace stridescope::views
