// Reductions over several GPUs, timed by the host: what a timing worker of several GPUs serves.
#pragma once

#include <memory>

#include "measure/gpu/gpu_group.h"
#include "measure/gpu/nccl.h"
#include "measure/timing_device.h"

namespace stridescope::measure::gpu {

// The GPUs from 0 to `gpus` - 1, opened, with NCCL where it is found and their links measured. What NCCL
// lacks is said of its variants alone.
Result<std::unique_ptr<TimingDevice>> makeGroupTimingDevice(unsigned gpus);

// The same on a group that is open. `facts` are what the device says of itself; NCCL's sentence stands for
// the library where it is not there.
std::unique_ptr<TimingDevice> groupTimingDeviceOn(std::unique_ptr<GpuGroup> group, TimingDeviceFacts facts,
                                                  Result<std::unique_ptr<Nccl>> nccl);

}  // namespace stridescope::measure::gpu
