// Source: the kernel's text as it is compiled, the executing lines marked, with the values of one thread.
#pragma once

#include "views/chrome/view_context.h"

namespace stridescope::views {

inline constexpr const char* kSourcePanel = "Source";

struct SourceState {
  session::Playhead scrolledTo;  // the round whose lines were last brought into view
  const session::Run* run = nullptr;
  int framesToSettle = 0;  // a scroll is clamped to the content of the frame before
  // Selected lines, in either order, counted from the preamble's first: where the press was, where it was
  // dragged to. Nothing is selected without the second.
  std::optional<int> selectedFrom, selectedTo;
};
void drawSource(ViewContext& view, SourceState& state);

}  // namespace stridescope::views
