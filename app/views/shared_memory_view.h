// Shared memory: the hero. Memory after each round as rows, the current round large, with operands, the
// threads that combine them, and results.
#pragma once

#include <optional>

#include "views/view_context.h"

namespace stridescope {

inline constexpr const char* kSharedMemoryPanel = "Shared memory";

// What a person has zoomed and panned to; given up when another round is shown.
struct SharedMemoryState {
  std::optional<std::size_t> columnsInView, firstColumn;
  Playhead at;
  const Run* run = nullptr;
};
void drawSharedMemory(ViewContext& view, SharedMemoryState& state);

}  // namespace stridescope
