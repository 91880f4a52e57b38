// A kernel's machine code, for reading: what is timed, compiled once more with the lines of its text.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "engine/gpu/gpu_engine.h"
#include "model/machine_code.h"

namespace stridescope::engine::gpu {

inline constexpr int kReadCapability = 90;  // for which code is shown where there is no GPU

// The machine code of the experiment's clean kernel for GPU `index`; nullopt: for kReadCapability, or the
// newest before it that the compiler knows. SASS where NVIDIA's nvdisasm is installed (PATH, CUDA_HOME,
// /usr/local/cuda), else PTX. Errors: no NVRTC, no such GPU; the kernel needs headers that are not there.
Result<model::MachineCode> machineCodeOf(const model::Experiment& experiment, std::optional<unsigned> index,
                                         const GpuPlaces& places = {});

}  // namespace stridescope::engine::gpu
