#include "views/shared/tabs.h"

#include <cmath>

namespace stridescope::views {

int drawTabs(ViewContext& view, const draw::Panel& panel, std::span<const char* const> labels, int chosen,
             ImU32 underline, float* end) {
  const draw::Palette& colours = view.colours();
  const float height = view.px(24);
  float left = panel.titleEnd().x + view.px(12);
  const float top = panel.contentMin().y - view.px(draw::kPanelTitleHeight) +
                    (view.px(draw::kPanelTitleHeight) - height) / 2;
  int clicked = -1;
  for (int index = 0; index < int(labels.size()); ++index) {
    const bool on = index == chosen;
    const draw::TextStyle style = on ? draw::semiBoldStyle(view.draw, draw::kBodySize, colours.text)
                                     : draw::wordsStyle(view.draw, draw::kBodySize, colours.dim);
    const float width = std::ceil(draw::textSize(style, labels[std::size_t(index)]).x) + view.px(16);
    const ImVec2 min{left, top}, max{left + width, top + height};
    if (max.x > panel.contentMax().x) break;
    if (hitArea(labels[std::size_t(index)], min, max).clicked) clicked = index;
    if (on) {
      panel.list().AddRectFilled(min, max, colours.field, view.px(draw::kPanelRadius));
      panel.list().AddRectFilled({min.x + view.px(6), max.y - view.px(2)}, {max.x - view.px(6), max.y},
                                 underline);
    }
    draw::drawText(view.draw, panel.list(), min, max, labels[std::size_t(index)], style,
                   draw::TextAlign::Centre);
    left = max.x + view.px(2);
  }
  if (end != nullptr) *end = left;
  return clicked;
}

}  // namespace stridescope::views
