// Launches run again and again with the clock read at barriers alone, and as they are.
#pragma once

#include <functional>

#include "engine/access/gpu/loaded_kernels.h"
#include "engine/access/gpu/log_memory.h"
#include "engine/access/gpu/patched_kernels.h"
#include "engine/access/gpu/sanitizer_api.h"
#include "engine/access/gpu_access.h"
#include "engine/gpu/gpu_session.h"

namespace stridescope::engine::access::gpu {

struct ClockedOrder {
  engine::gpu::GpuSession& session;
  const SanitizerApi& sanitizer;
  const GpuAccessOrder& asked;
  JobControl& job;
  DeviceArrays& arrays;  // filled; they are set back before each run
  LogMemory& log;
  std::function<std::uint32_t(const InstructionPlace&)> siteAt;  // of the record
};

// Fills the clocks and the two times.
Result<void> clockLaunches(const ClockedOrder& order, GpuAccessRecord& answer);

}  // namespace stridescope::engine::access::gpu
