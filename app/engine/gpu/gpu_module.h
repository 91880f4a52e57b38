// A compiled kernel, loaded and ready to launch.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "engine/gpu/gpu_device.h"
#include "model/dim3.h"

namespace stridescope::engine::gpu {

struct CompiledKernel;  // compiler.h

// How a kernel is launched.
struct LaunchSize {
  model::Dim3 grid{};             // blocks
  model::Dim3 block{};            // threads of a block
  std::uint64_t sharedBytes = 0;  // dynamic
};

class GpuModule {
 public:
  // Within a GpuDevice::Entered, as everything here. `name`: for the sentences of errors.
  static Result<std::unique_ptr<GpuModule>> load(GpuDevice& device, const CompiledKernel& kernel,
                                                 std::string name);
  ~GpuModule();
  GpuModule(const GpuModule&) = delete;
  GpuModule& operator=(const GpuModule&) = delete;

  // The address of a variable that is `bytes` large.
  Result<CUdeviceptr> variable(const char* symbol, std::size_t bytes);

  // Enqueues one launch on the device's stream. The kernel's arguments are addresses of GPU memory, or
  // numbers: a parameter narrower than 8 bytes takes the low ones.
  Result<void> launch(const LaunchSize& size, std::span<const std::uint64_t> arguments);

  // What launch() does before it launches: refuses shapes beyond CUDA's limits, asks for as much shared
  // memory.
  Result<void> allow(const LaunchSize& size);
  CUfunction function() const { return function_; }

  bool isAlive() const { return device_.isAlive(generation_); }
  std::uint64_t staticSharedBytes() const { return staticSharedBytes_; }
  const std::string& name() const { return name_; }

 private:
  GpuModule(GpuDevice& device, std::string name)
      : device_(device), name_(std::move(name)), generation_(device.generation()) {}

  GpuDevice& device_;
  std::string name_;
  unsigned generation_;
  CUmodule module_ = nullptr;
  CUfunction function_ = nullptr;
  std::uint64_t staticSharedBytes_ = 0;
  std::uint64_t allowedSharedBytes_ = 48 * 1024;  // dynamic and static; more must be asked for (CUDA's rule)
};

}  // namespace stridescope::engine::gpu
