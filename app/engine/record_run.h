// The orchestration of a run, the same on every device.
#pragma once

#include "engine/device.h"

namespace stridescope::engine {

// Checks the experiment, prepares its kernel, plans the run, fills the buffers, records launch after launch,
// and compares the result with the reference. A launch that does not finish is the last: the trace then has
// no result, and its note says why. Fails as the device does; with kind Usage for an experiment that is not
// legal or that the device refuses; with kind Cancelled once job.cancel is seen, at the latest before the
// next launch. Progress ascends, from 0 to at most 1.
Result<model::Trace> recordRun(Device& device, const model::Experiment& asked, JobControl& job);

}  // namespace stridescope::engine
