// The parts of a session, to read. Whoever shows a session takes these, or the one that it needs, and
// gives commands back.
#pragma once

#include "session/app_state.h"
#include "session/measurements.h"
#include "session/predict.h"
#include "session/replay.h"
#include "session/workspace.h"

namespace stridescope::session {

struct Parts {
  const Workspace& workspace;
  const Replay& replay;
  const Measurements& measurements;
  const AppState& app;
  const Predict& predict;
};

}  // namespace stridescope::session
