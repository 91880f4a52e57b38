// The caption's second line: the numbers of what is pointed at, in the shown round. Pure.
#pragma once

#include <string>
#include <vector>

#include "session/replay.h"
#include "views/shared/linked_highlight.h"

namespace stridescope::views {

struct HoverLine {
  std::string tag;  // "thread 5", "warp 0", "data[80]", "bank 16", "line 15", "stride 8"
  std::vector<std::string> pieces;
  bool words = false;  // the pieces are sentences, not figures
};

// Requires replay.run(); `hover` is the replay's, `linked` is what it highlights.
HoverLine hoverLineOf(const session::Replay& replay, const session::Hover& hover,
                      const LinkedHighlight& linked);

}  // namespace stridescope::views
