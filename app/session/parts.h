// The parts of a session, to read. Whoever shows a session takes these, or the one that it needs, and
// gives commands back.
#pragma once

#include "analysis/compared_sides.h"
#include "session/app_state.h"
#include "session/exports.h"
#include "session/measurements.h"
#include "session/predict.h"
#include "session/replay.h"
#include "session/workspace.h"

namespace stridescope::session {

class Comparison;
class History;
class OwnKernel;

// If two runs are compared, the workspace and the replay are the chosen side's.
struct Parts {
  const Workspace& workspace;
  const Replay& replay;
  const Measurements& measurements;
  const AppState& app;
  const Exports& exports;
  const Predict& predict;
  const History& history;
  const OwnKernel& kernel;
  const Comparison* comparison = nullptr;  // not null: both are shown, in the Compare mode
};

// What the side's own window would read; requires parts.comparison.
Parts partsOf(const Parts& parts, analysis::Side side);

}  // namespace stridescope::session
