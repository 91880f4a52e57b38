// The times of the measurements as panels show them, worked out once a snapshot and kept for the frames
// between.
#pragma once

#include "session/measurements.h"
#include "session/workspace.h"
#include "views/shared/ladder_times.h"

namespace stridescope::views {

struct ShownTimes {
  TimingsPicture picture;
  LadderTimes rungs;  // of the picture

  // Takes in what was timed since the frame before; before anything that draws it.
  void refresh(const session::Workspace& workspace, const session::Measurements& measurements);
};

}  // namespace stridescope::views
