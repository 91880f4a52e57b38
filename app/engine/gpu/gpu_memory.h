// Memory on the GPU and page-locked memory beside it, kept and grown over many uses. Each belongs to a
// context (GpuDevice::generation) and is forgotten with it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "engine/gpu/gpu_device.h"

namespace stridescope::engine::gpu {

// "64 MiB", "3.2 GiB", "512 bytes".
std::string bytesText(std::uint64_t bytes);

class DeviceMemory {
 public:
  explicit DeviceMemory(GpuDevice& device) : device_(&device) {}
  ~DeviceMemory() { free(); }
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  // Takes at least that many bytes (one even for none), with any content. Call it within a
  // GpuDevice::Entered.
  Result<void> reserve(std::uint64_t bytes);
  CUdeviceptr address() const { return address_; }
  void free();

 private:
  GpuDevice* device_;
  CUdeviceptr address_ = 0;
  std::uint64_t bytes_ = 0;
  unsigned generation_ = 0;
};

// Memory of the host that copies to and from the GPU reach without a detour.
class PinnedMemory {
 public:
  explicit PinnedMemory(GpuDevice& device) : device_(&device) {}
  ~PinnedMemory() { free(); }
  PinnedMemory(const PinnedMemory&) = delete;
  PinnedMemory& operator=(const PinnedMemory&) = delete;

  Result<void> reserve(std::uint64_t bytes);
  std::byte* data() const { return static_cast<std::byte*>(data_); }
  void free();

 private:
  GpuDevice* device_;
  void* data_ = nullptr;
  std::uint64_t bytes_ = 0;
  unsigned generation_ = 0;
};

}  // namespace stridescope::engine::gpu
