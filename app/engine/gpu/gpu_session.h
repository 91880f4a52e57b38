// All that is needed to compile for one GPU and to run on it.
#pragma once

#include <memory>

#include "engine/gpu/gpu_device.h"
#include "engine/gpu/gpu_engine.h"
#include "engine/gpu/kernel_compiler.h"

namespace stridescope::engine::gpu {

struct GpuSession {
  std::unique_ptr<GpuDevice> device;
  std::unique_ptr<KernelCompiler> compiler;
  std::string driverRelease;  // "580.159"; "CUDA 13.0" where the driver does not tell

  // Loads both libraries and finds the GPU; makes no context yet.
  static Result<GpuSession> open(unsigned index, const GpuPlaces& places, ContextKind kind);
};

}  // namespace stridescope::engine::gpu
