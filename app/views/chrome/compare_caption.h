// The caption of two runs that are compared, and the thread that is hovered in both.
#pragma once

#include <string>

#include "views/shared/view_context.h"

namespace stridescope::views {

struct CaptionText {
  std::string text;
  bool problem = false;      // it is about something that went wrong
  std::string result{};      // follows it at the end of the run; empty: none
  bool needsResult = false;  // it follows though that makes the text smaller
  std::string cost{};        // a sentence more where it makes no text smaller; empty: none
};

// Requires view.comparison and two runs.
CaptionText comparedCaption(const ViewContext& view);

// Requires view.comparison. The second line: the same thread at the left and at the right.
void drawComparedHoverLine(ViewContext& view, ImDrawList& list, ImVec2 min, ImVec2 max);
bool hasComparedHover(const ViewContext& view);

}  // namespace stridescope::views
