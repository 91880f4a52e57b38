// A person's kernels compiled for the GPU as they are, loaded, and launched on arrays in its memory: what
// records them, times them and counts them begins here.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/access/gpu_access.h"
#include "engine/gpu/compiler.h"
#include "engine/gpu/gpu_device.h"
#include "engine/gpu/gpu_session.h"

namespace stridescope::engine::access::gpu {

enum class Contraction : std::uint8_t {
  Fused,     // of a multiplication and an addition, as CUDA's compilers do by default
  Separate,  // values are those of the CPU
};

// The program of the text. The order outlives it, and so do `hostHeaders` (host_headers.h).
engine::gpu::Program programOf(const GpuAccessOrder& order, const std::vector<SourceText>& hostHeaders,
                               Contraction contraction);

class LoadedKernels {
 public:
  // Within the device's context, as everything here. Errors: Unavailable with the compiler's message, which
  // names the line.
  static Result<std::unique_ptr<LoadedKernels>> load(engine::gpu::GpuSession& session,
                                                     const GpuAccessOrder& order, Contraction contraction);
  ~LoadedKernels();
  LoadedKernels(const LoadedKernels&) = delete;
  LoadedKernels& operator=(const LoadedKernels&) = delete;

  // Looks the kernels up in the module, which then must not be patched any more.
  Result<void> find();

  // Enqueues a launch on the device's stream. `arguments`: the address of each.
  Result<void> launch(const AccessLaunch& launch, std::span<void*> arguments);

  CUmodule module() const { return module_; }
  CUfunction function(std::uint32_t kernel) const { return functions_[kernel]; }
  const std::string& symbol(std::uint32_t kernel) const { return symbols_[kernel]; }
  const std::string& image() const { return image_; }

 private:
  explicit LoadedKernels(engine::gpu::GpuSession& session) : session_(session) {}

  engine::gpu::GpuSession& session_;
  CUmodule module_ = nullptr;
  std::vector<std::string> symbols_;  // of the kernels
  std::vector<CUfunction> functions_;
  std::string image_;  // the cubin
};

// Where each of them lies, as a launch takes its arguments.
std::vector<void*> addressesOf(std::vector<std::vector<std::uint8_t>>& values);

// The arrays of a run, in one piece of device memory, far apart.
class DeviceArrays {
 public:
  explicit DeviceArrays(engine::gpu::GpuDevice& device) : device_(device), memory_(device) {}

  // Within the device's context, as what follows. `contents` outlives it: restore() writes them again.
  Result<void> fill(std::span<const std::vector<std::uint8_t>> contents);
  Result<void> restore();
  Result<std::vector<std::vector<std::uint8_t>>> contents();

  // The bytes of each of the launch's arguments.
  std::vector<std::vector<std::uint8_t>> argumentsOf(const AccessLaunch& launch) const;

  const std::vector<DeviceRange>& ranges() const { return ranges_; }
  const DeviceRange& whole() const { return whole_; }

 private:
  engine::gpu::GpuDevice& device_;
  engine::gpu::DeviceMemory memory_;
  std::span<const std::vector<std::uint8_t>> initial_;
  std::vector<DeviceRange> ranges_;
  DeviceRange whole_;
};

// Copies that wait until they are done.
Result<void> copyToGpu(engine::gpu::GpuDevice& device, std::uint64_t to, const void* from, std::size_t bytes);
Result<void> copyFromGpu(engine::gpu::GpuDevice& device, void* to, std::uint64_t from, std::size_t bytes);

}  // namespace stridescope::engine::access::gpu
