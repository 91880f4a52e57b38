// The launches of an order once more, compiled of a text whose conditions and exchanges tell what they do
// (kernels/access_gpu/told.h).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "engine/access/gpu/log_memory.h"
#include "engine/access/gpu/patched_kernels.h"
#include "engine/access/gpu/sanitizer_api.h"
#include "engine/access/gpu_access.h"
#include "engine/gpu/gpu_session.h"

namespace stridescope::engine::access::gpu {

class TellingRun {
 public:
  // Within the device's context, as everything here. `asked`, which outlives it, has a text that tells.
  // Errors: Unavailable where it does not compile, though the other does.
  static Result<std::unique_ptr<TellingRun>> load(engine::gpu::GpuSession& session,
                                                  const SanitizerApi& sanitizer, const GpuAccessOrder& asked);

  // Sets the arrays back and runs the launches, one after the other; what was written of each. Errors: one
  // that does not end within a few seconds, after which the device is of no use; one that a fault ends.
  Result<std::vector<WrittenLog>> written(std::span<RecordedLaunch> launches, DeviceArrays& arrays,
                                          LogMemory& log, JobControl& job);

  InstructionPlace placeOf(std::uint64_t pc, std::string_view textFile) const {
    return kernels_->placeOf(pc, textFile);
  }

 private:
  explicit TellingRun(engine::gpu::GpuSession& session) : session_(session) {}

  engine::gpu::GpuSession& session_;
  std::unique_ptr<PatchedKernels> kernels_;
};

// The order's text and headers as what tells is compiled: behind told.h, and behind those headers of CUDA's
// that declare other functions of the names that told.h takes. The order has the text's name.
void describeTelling(const TellingText& telling, GpuAccessOrder& order);

}  // namespace stridescope::engine::access::gpu
