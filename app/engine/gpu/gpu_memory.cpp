#include "engine/gpu/gpu_memory.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>

#include "base/result.h"

namespace stridescope::engine::gpu {
namespace {

// Page-locking is slow (milliseconds a call), so a buffer that has to grow grows at least to the next power
// of two.
constexpr std::uint64_t kMinPinned = 1u << 20;

}  // namespace

std::string bytesText(std::uint64_t bytes) {
  constexpr std::array kUnits{"bytes", "KiB", "MiB", "GiB", "TiB"};
  double amount = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; amount >= 1024 && unit + 1 < kUnits.size(); ++unit) amount /= 1024;
  std::array<char, 48> text{};
  const bool whole = amount == static_cast<double>(static_cast<std::uint64_t>(amount));
  std::snprintf(text.data(), text.size(), whole ? "%.0f %s" : "%.1f %s", amount, kUnits[unit]);
  return text.data();
}

Result<void> DeviceMemory::reserve(std::uint64_t bytes) {
  bytes = std::max<std::uint64_t>(bytes, 1);
  if (address_ != 0 && bytes <= bytes_ && device_->isAlive(generation_)) return {};
  free();
  STRIDESCOPE_TRY(device_->check(device_->api().cuMemAlloc(&address_, bytes), "cuMemAlloc",
                                 "allocate " + bytesText(bytes) + " of GPU memory"));
  bytes_ = bytes;
  generation_ = device_->generation();
  return {};
}

void DeviceMemory::free() {
  if (address_ != 0) device_->release(generation_, [&](const DriverApi& api) { api.cuMemFree(address_); });
  address_ = 0;
  bytes_ = 0;
}

Result<void> PinnedMemory::reserve(std::uint64_t bytes) {
  if (data_ != nullptr && bytes <= bytes_ && device_->isAlive(generation_)) return {};
  free();
  bytes = std::bit_ceil(std::max(bytes, kMinPinned));
  STRIDESCOPE_TRY(device_->check(device_->api().cuMemAllocHost(&data_, bytes), "cuMemAllocHost",
                                 "allocate " + bytesText(bytes) + " of page-locked memory"));
  bytes_ = bytes;
  generation_ = device_->generation();
  return {};
}

void PinnedMemory::free() {
  if (data_ != nullptr)
    device_->release(generation_, [&](const DriverApi& api) { api.cuMemFreeHost(data_); });
  data_ = nullptr;
  bytes_ = 0;
}

}  // namespace stridescope::engine::gpu
