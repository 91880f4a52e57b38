// Memory runs out with a sentence, before something crashes for want of it.
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/result.h"

namespace stridescope {

inline constexpr std::uint64_t kDefaultMemoryBudget = std::uint64_t{512} << 20;  // bytes

// A bound on the memory that one opened trace may take: a file of some hundred kilobytes can describe a run
// whose analysis would fill the machine. One budget is shared by everything that is derived from the trace
// (its operations, snapshots, lanes, exchanges, data flow). What is printed of it has one of its own.
class MemoryBudget {
 public:
  explicit MemoryBudget(std::uint64_t bytes = kDefaultMemoryBudget) : whole_(bytes), left_(bytes) {}

  // Takes so many bytes of it. False, and nothing is taken, if less is left.
  bool take(std::uint64_t bytes) {
    if (bytes > left_) return false;
    left_ -= bytes;
    return true;
  }

  // Takes so many bytes of it for something that exists already; takes all that is left if that is less.
  void spend(std::uint64_t bytes) { left_ -= std::min(bytes, left_); }

  // Whether so many bytes are left, for what is needed only for a while.
  bool has(std::uint64_t bytes) const { return bytes <= left_; }
  // "512 MiB": the whole budget, for sentences.
  std::string text() const { return std::to_string(whole_ >> 20) + " MiB"; }

 private:
  std::uint64_t whole_, left_;
};

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
