// Which NCCL there is, and which GPUs can use each other's memory. Opens libraries: called in worker
// processes.
#pragma once

#include "engine/gpu/gpu_engine.h"
#include "engine/group_status.h"

namespace stridescope::measure::gpu {

// Makes no context on any GPU.
engine::GroupStatus queryGroup(const engine::gpu::GpuPlaces& places = {});

}  // namespace stridescope::measure::gpu
