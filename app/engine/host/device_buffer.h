// A buffer as a kernel on the host gets it: zeroed, aligned as cudaMalloc's, with so much unused address
// space on both sides that an index which misses it does not hit another buffer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace stridescope::engine::host {

class DeviceBuffer {
 public:
  explicit DeviceBuffer(std::uint64_t bytes);  // see allocated()
  ~DeviceBuffer();
  DeviceBuffer(DeviceBuffer&& other) noexcept;
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept;

  bool allocated() const { return mapping_ != nullptr; }
  std::uint8_t* data() const { return mapping_ + kMargin; }
  std::uint64_t bytes() const { return bytes_; }
  std::span<std::uint8_t> first(std::uint64_t bytes) const { return {data(), bytes}; }

 private:
  static constexpr std::size_t kMargin = 1 << 20;
  std::uint8_t* mapping_ = nullptr;
  std::uint64_t bytes_ = 0;
};

}  // namespace stridescope::engine::host
