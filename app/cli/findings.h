// What `doctor` finds out that needs no window.
#pragma once

#include <vector>

#include "cli/services.h"
#include "engine/engine.h"
#include "engine/group_status.h"
#include "engine/sandbox/confinement.h"
#include "model/counters.h"

namespace stridescope::cli {

// The driver, each GPU, NVRTC and the cache of compiled kernels.
std::vector<Finding> gpuFindings(const engine::GpuStatus& status);

// Whether several GPUs can be timed together, and NCCL beside them. What gpuFindings(gpus) says is not said
// again.
std::vector<Finding> groupFindings(const engine::GroupStatus& status, const engine::GpuStatus& gpus);

// Whether a GPU's hardware counters can be read; `counted` is any run's.
Finding countersFinding(const Result<model::CounterRecord>& counted);

// Whether kernels of a person's own can be recorded on a GPU; `opened`: what records them.
Finding ownKernelsFinding(const Result<void>& opened);

// The C++ compiler that a custom operator needs on the CPU executor; `path` is the environment's PATH.
Finding compilerFinding(const std::string& path);

// What the kernel has to confine a custom operator with.
Finding sandboxFinding(const engine::sandbox::SandboxSupport& support);

// Is there a display to open a window on? The arguments are the environment's DISPLAY and WAYLAND_DISPLAY.
Finding displayFinding(const std::string& x11, const std::string& wayland);

}  // namespace stridescope::cli
