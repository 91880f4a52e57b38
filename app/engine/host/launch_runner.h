// One launch of a variant on the host: runs all blocks of all devices, records the inspected, and of several
// devices the block in its place on each of them.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/result.h"
#include "engine/host/executor/block_runner.h"
#include "engine/host/host_engine.h"
#include "engine/record_run.h"
#include "instrument/instrument.h"
#include "kernels/run_plan.h"

namespace stridescope::engine::host {

struct HostLaunchInput {
  const HostKernel& kernel;
  const instrument::Instrumented& text;
  const kernels::LaunchShape& shape;
  const std::vector<std::vector<KernelArgument>>& arguments;  // of each device
  model::Schedule schedule = model::Schedule::LaneByLane;
  std::uint64_t scheduleSeed = 1;
  model::BlockOrder blockOrder = model::BlockOrder::InOrder;
  std::uint64_t blockOrderSeed = 1;
};

// Blocks until the launch has ended. `done`(fraction of the blocks) is called every few milliseconds.
Result<RecordedLaunch> runLaunch(recording::BlockRunner& runner, const HostLaunchInput& input,
                                 const RecordLimits& limits, const JobControl& job,
                                 const std::function<void(double fraction)>& done);

}  // namespace stridescope::engine::host
