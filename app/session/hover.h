// The one thing that is pointed at, or pinned by a click. Every panel lights its linked marks.
#pragma once

#include <cstdint>

namespace stridescope::session {

enum class HoverKind : std::uint8_t { Thread, Warp, Element, Bank, Site, Round };

struct Hover {
  HoverKind kind{};
  // Of the shown launch: a thread or a warp of the block; an element of its first shared array (without
  // shared memory: of what the block works in in device memory); one of the 32 banks; a round. A site: its id
  // in Trace::sites.
  std::uint64_t index = 0;
  unsigned launch = 0;  // of a round, which may belong to another launch than the shown one; else 0
  friend bool operator==(const Hover&, const Hover&) = default;
};

inline Hover hoverThread(unsigned thread) { return {HoverKind::Thread, thread}; }

}  // namespace stridescope::session
