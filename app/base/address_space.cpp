#include "base/address_space.h"

#include <sys/mman.h>

#include <cstddef>

namespace stridescope {
namespace {

constexpr std::size_t kRoom = std::size_t{1}
                              << 30;  // bytes; Mesa with its compiler and threads takes 0.8 of it

}  // namespace

Result<void> checkAddressSpace(const std::string& library) {
  // Asked for, but never used: takes no memory.
  void* const room = ::mmap(nullptr, kRoom, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room == MAP_FAILED)
    return unavailable("Out of memory: " + library +
                       " needs 1 GiB of address space. Raise the limit (ulimit -v).");
  ::munmap(room, kRoom);
  return {};
}

}  // namespace stridescope
