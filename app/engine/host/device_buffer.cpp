#include "device_buffer.h"

#include <sys/mman.h>

#include <utility>

namespace stridescope::engine::host {

DeviceBuffer::DeviceBuffer(std::uint64_t bytes) : bytes_(bytes) {
  void* const memory = mmap(nullptr, bytes + 2 * kMargin, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory != MAP_FAILED) mapping_ = static_cast<std::uint8_t*>(memory);
}

DeviceBuffer::~DeviceBuffer() {
  if (mapping_ != nullptr) munmap(mapping_, bytes_ + 2 * kMargin);
}

DeviceBuffer::DeviceBuffer(DeviceBuffer&& other) noexcept
    : mapping_(std::exchange(other.mapping_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}

DeviceBuffer& DeviceBuffer::operator=(DeviceBuffer&& other) noexcept {
  std::swap(mapping_, other.mapping_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

}  // namespace stridescope::engine::host
