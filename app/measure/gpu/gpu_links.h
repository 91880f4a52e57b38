// What lies between the GPUs of a group: how fast each reads the memory of each other, and how long a message
// takes.
#pragma once

#include <vector>

#include "engine/engine.h"
#include "measure/gpu/gpu_group.h"
#include "model/several_gpus.h"

namespace stridescope::measure::gpu {

inline constexpr unsigned kLinkPasses = 15;       // of each bandwidth, after one that warms up
inline constexpr unsigned kMessageRounds = 1000;  // there and back, in each of kMessageRuns
inline constexpr unsigned kMessageRuns = 5;

// Every pair of the group's GPUs, in both directions: from GPU 0 to all others, then from GPU 1, and so on.
// Takes memory on each for a moment: 256 MiB twice, or what an eighth of the free memory allows.
Result<std::vector<model::GpuLink>> measureLinks(GpuGroup& group, engine::JobControl& job);

}  // namespace stridescope::measure::gpu
