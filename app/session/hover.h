// The one thing that is pointed at, or pinned by a click. Every panel lights its linked marks.
#pragma once

#include <cstdint>

namespace stridescope::session {

enum class HoverKind : std::uint8_t { Thread, Warp, Element, Bank, Site, Round };

struct Hover {
  HoverKind kind{};
  // The number, within the shown launch, of a thread or a warp of the block; of an element of its shared
  // array `array` (without shared memory: of the device memory that the block changes in place); of one of
  // the 32 banks; or of a round. A site has its id in Trace::sites.
  std::uint64_t index = 0;
  unsigned launch = 0;  // a round's launch, which may be another than the shown one; else 0
  unsigned array = 0;   // an element's shared array, by number; else 0
  friend bool operator==(const Hover&, const Hover&) = default;
};

inline Hover hoverThread(unsigned thread) { return {HoverKind::Thread, thread}; }

}  // namespace stridescope::session
