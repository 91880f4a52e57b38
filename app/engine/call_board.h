// Where a process shows which calls of others' libraries it is in: a page of memory that it shares with the
// process that watches it (library_call.h shows, worker/call_watch.h watches).
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace stridescope::engine {

inline constexpr std::size_t kCallNameBytes = 52;

// One thread's. Zeroes: it was never in a call.
struct alignas(64) CallSlot {
  std::atomic<std::uint64_t> turn;        // odd: within a call, even: not; it only grows
  std::atomic<std::uint32_t> patience;    // how many times the watcher's limit this call may last
  std::array<char, kCallNameBytes> name;  // zero-terminated; written before `turn` becomes odd
};

struct CallBoard {
  static constexpr std::size_t kSlots = 511;
  std::atomic<std::uint32_t> used;  // slots from this number on are all zeroes
  std::array<CallSlot, kSlots> slots;
};
static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

}  // namespace stridescope::engine
