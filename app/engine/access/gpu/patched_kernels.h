// A person's kernels compiled for the GPU, loaded, and patched: each of their accesses, barriers and warp
// operations calls what records it (kernels/access_gpu/patches.cu).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/access/gpu/access_log.h"
#include "engine/access/gpu/cubin.h"
#include "engine/access/gpu/loaded_kernels.h"
#include "engine/access/gpu/sanitizer_api.h"
#include "engine/access/gpu_access.h"
#include "engine/gpu/gpu_session.h"

namespace stridescope::engine::access::gpu {

// Where in the text an instruction is from; line 0: it is not from there.
struct InstructionPlace {
  std::size_t function = 0;  // in the order of the cubin
  std::uint64_t offset = 0;
  int line = 0;
};

enum class Patching : std::uint8_t {
  Accesses,
  Told,   // the same, of a text that tells its conditions and exchanges: nothing is asked about its arrays
  Clock,  // the first lane of each warp reads the SM's clock at barriers, and at the kernel's beginning and
          // end
  Times,  // a block's first thread reads the GPU's timer at its beginning and end
};

class PatchedKernels {
 public:
  // Within the device's context, as everything here. Adds the patches to the context, too.
  static Result<std::unique_ptr<PatchedKernels>> load(engine::gpu::GpuSession& session,
                                                      const SanitizerApi& sanitizer,
                                                      const GpuAccessOrder& order, Patching patching);
  // What the window of shared memory of a block has: the arrays of the launch where they lie; one named
  // "shared" for those of which that is not known. `end`: behind static shared memory.
  struct Window {
    std::uint64_t begin = 0, end = 0;
    std::vector<PlacedArray> arrays;
  };
  Result<Window> windowOf(std::uint32_t kernel, const SharedLayout& layout, std::uint64_t dynamicBytes);

  // Enqueues a launch on the device's stream whose patches write `log`.
  Result<void> launch(const AccessLaunch& launch, std::span<void*> arguments, CUdeviceptr log);

  InstructionPlace placeOf(std::uint64_t pc, std::string_view textFile) const;

  const std::string& image() const { return kernels_->image(); }  // the cubin, as it was before the patches

  // Where a variable of the module lies in the GPU's memory; 0: it has none of that name.
  std::uint64_t variable(const char* symbol) const;

 private:
  PatchedKernels(engine::gpu::GpuSession& session, const SanitizerApi& sanitizer)
      : session_(session), sanitizer_(sanitizer) {}
  Result<void> patch(Patching patching);
  void readFunctions();

  engine::gpu::GpuSession& session_;
  const SanitizerApi& sanitizer_;
  std::unique_ptr<LoadedKernels> kernels_;
  Cubin cubin_;
  Cubin described_;  // the same text with the names of its shared arrays
  struct LoadedFunction {
    std::uint64_t begin = 0, bytes = 0;
    std::size_t function = 0;  // of cubin_
  };
  std::vector<LoadedFunction> loaded_;  // by begin
};

// What NVRTC tells of the kernels without running them.
Result<GpuKernelFacts> factsOf(engine::gpu::GpuSession& session, const GpuAccessOrder& order);

// The patches for a GPU, compiled; kept for the next call with the same session.
Result<std::string> compiledPatches(engine::gpu::GpuSession& session);

}  // namespace stridescope::engine::access::gpu
