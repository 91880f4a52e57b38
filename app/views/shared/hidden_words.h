// What stands in a panel where a hidden round would be shown.
#pragma once

#include "draw/text.h"
#include "views/shared/view_context.h"

namespace stridescope::views {

// Draws the words in the middle, on their own ground.
inline void drawHiddenWords(ViewContext& view, ImDrawList& list, ImVec2 min, ImVec2 max) {
  const draw::TextStyle style = view.words(view.colours().dim, draw::kBodySize);
  const ImVec2 size = draw::textSize(style, kHiddenWords);
  const ImVec2 half{size.x / 2 + view.px(12), view.px(16)};
  const ImVec2 middle{std::round((min.x + max.x) / 2), std::round((min.y + max.y) / 2)};
  const ImVec2 from{std::max(min.x, middle.x - half.x), std::max(min.y, middle.y - half.y)};
  const ImVec2 to{std::min(max.x, middle.x + half.x), std::min(max.y, middle.y + half.y)};
  list.AddRectFilled(from, to, view.colours().panel);
  view.text(list, from, to, kHiddenWords, style, draw::TextAlign::Centre);
}

}  // namespace stridescope::views
