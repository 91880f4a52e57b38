// Shared memory: the hero. Memory after each round as rows, the current round large, with operands, the
// threads that combine them, and results.
#pragma once

#include <optional>

#include "views/chrome/view_context.h"
#include "views/maps/zoom_and_pan.h"

namespace stridescope::views {

inline constexpr const char* kSharedMemoryPanel = "Shared memory";

// What a person looks at; given up when another round is shown.
struct SharedMemoryState {
  ZoomAndPan moved;
  std::optional<unsigned> heldThread;  // of registers, whose values come into view
  session::Playhead at;
  const session::Run* run = nullptr;
};
void drawSharedMemory(ViewContext& view, SharedMemoryState& state);

}  // namespace stridescope::views
