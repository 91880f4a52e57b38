#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <string>

#include "base/result.h"

namespace stridescope {

// Drivers and compilers that are opened as libraries crash where a limit on the address space (ulimit -v)
// leaves them too little. The error says so before that; `library`: "OpenGL's driver".
inline Result<void> checkAddressSpace(const std::string& library) {
  constexpr std::size_t kRoom = std::size_t{1} << 30;  // Mesa with its compiler and threads takes 0.8 of it
  // Asked for, but never used: takes no memory.
  void* const room = ::mmap(nullptr, kRoom, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room == MAP_FAILED)
    return unavailable("Out of memory: " + library +
                       " needs 1 GiB of address space. Raise the limit (ulimit -v).");
  ::munmap(room, kRoom);
  return {};
}

}  // namespace stridescope
