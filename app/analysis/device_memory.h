// The pieces of device memory that a block works in, after each round: replayed from its own loads and
// stores.
//
// A buffer is followed if the block both reads and writes it, or writes it in more than one round (a merge's
// output). What is only read, and a result that is written once, is not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "model/trace.h"

namespace stridescope::analysis {

struct Round;

inline constexpr std::uint64_t kMaxFollowedElements = 1u << 16;  // per buffer

// The elements of one buffer that the block touches, and what lies between them; at most the first
// kMaxFollowedElements.
struct DeviceWindow {
  std::uint32_t buffer = 0;    // index into LaunchTrace::buffers
  std::uint64_t first = 0;     // element of the buffer
  std::uint64_t elements = 0;  // how many the window has
  bool readToo = false;        // the block reads it, too: it works in place
};

// From the end of this round on the element holds these bits.
struct DeviceChange {
  std::uint32_t round = 0;
  std::uint32_t window = 0;
  std::uint64_t element = 0;          // counted from the start of the window
  std::optional<std::uint64_t> bits;  // nullopt: unknown, as an atomic left it
};

struct DeviceMemory {
  std::vector<DeviceWindow> windows;  // in order of the buffers
  std::vector<DeviceChange> changes;  // by round

  // The bits of every element of the window after the round; nullopt: unknown. What the block found there is
  // known from the start if no other block runs, else from the round of its first load on.
  std::vector<std::optional<std::uint64_t>> wordsAfter(std::size_t window, std::size_t round) const;

  // The window of that buffer, as an index; nullopt if it is not followed.
  std::optional<std::size_t> windowOf(std::uint32_t buffer) const;
};

// Needs the rounds' operations.
DeviceMemory followDeviceMemory(const model::LaunchTrace& launch, const std::vector<Round>& rounds);

}  // namespace stridescope::analysis
