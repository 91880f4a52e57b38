// One launch of a variant on the host: binds the kernel's parameters, runs all blocks, records the inspected.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "base/result.h"
#include "engine/engine.h"
#include "host_kernel.h"
#include "instrument/instrument.h"
#include "kernels/run_plan.h"
#include "model/trace.h"
#include "recording/host/block_runner.h"

namespace stridescope::engine::host {

// One of a run's buffers.
struct HostBuffer {
  std::span<std::uint8_t> bytes;
  unsigned elementBytes = 4;
  std::optional<model::ElementType> type{};  // of its elements; nothing: unsigned numbers
};

struct HostLaunchInput {
  const HostKernel& kernel;
  const instrument::Instrumented& text;
  const kernels::LaunchShape& shape;
  std::span<const HostBuffer> buffers;  // of the run's plan
  model::Schedule schedule = model::Schedule::LaneByLane;
  std::uint64_t scheduleSeed = 1;
  model::ElementType elementType = model::ElementType::Int;  // T of the text
};

struct HostLaunchResult {
  model::LaunchTrace trace;
  bool finished = false;  // else it stopped at a problem, which the trace holds
};

// Blocks until the launch has ended. `done`(fraction of the blocks) is called every few milliseconds.
Result<HostLaunchResult> runLaunch(recording::BlockRunner& runner, const HostLaunchInput& input,
                                   const RecordLimits& limits, const JobControl& job,
                                   const std::function<void(double fraction)>& done);

}  // namespace stridescope::engine::host
