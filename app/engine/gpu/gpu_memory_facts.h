// What timing needs to know of a GPU's memory, asked of the driver.
#pragma once

#include "engine/gpu/gpu_device.h"
#include "engine/gpu/timed_run.h"

namespace stridescope::engine::gpu {

// Within a GpuDevice::Entered.
Result<GpuMemoryFacts> factsOfMemory(GpuDevice& device);

}  // namespace stridescope::engine::gpu
