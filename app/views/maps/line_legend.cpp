#include "views/maps/line_legend.h"

#include <cmath>
#include <string>

#include "views/shared/explanations.h"

namespace stridescope::views {
namespace {

constexpr float kBox = 12, kInner = 5, kBetween = 12;  // units

bool isShown(const LineLegendItem& item, LegendWording wording) {
  return wording < LegendWording::BriefOfThoseThere || item.count > 0 || item.stays;
}

std::string wordsOf(const LineLegendItem& item, LegendWording wording) {
  if (wording == LegendWording::Figures) return {};
  return wording == LegendWording::Words ? item.words : item.brief;
}

struct Styles {
  draw::TextStyle figure, words;
};

float widthOf(const ViewContext& view, const Styles& styles, const LineLegendItem& item,
              LegendWording wording) {
  const std::string words = wordsOf(item, wording);
  const float figure = draw::textSize(styles.figure, std::to_string(item.count)).x;
  return view.px(kBox) + view.px(kInner) + figure +
         (words.empty() ? 0 : view.px(kInner) + draw::textSize(styles.words, words).x);
}

}  // namespace

LegendWording wordingFor(float width, const std::function<float(LegendWording)>& widthOf) {
  for (const LegendWording wording :
       {LegendWording::Words, LegendWording::Brief, LegendWording::BriefOfThoseThere})
    if (widthOf(wording) <= width) return wording;
  return LegendWording::Figures;
}

void drawLineLegend(ViewContext& view, ImDrawList& list, ImVec2 min, float right,
                    std::span<const LineLegendItem> items) {
  const Styles styles{draw::codeBoldStyle(view.draw, draw::kLabelSize, view.colours().text),
                      draw::wordsStyle(view.draw, draw::kLabelSize, view.colours().dim)};
  const float between = view.px(kBetween), bottom = min.y + view.px(kLineLegendHeight);
  const LegendWording wording = wordingFor(right - min.x, [&](LegendWording each) {
    float width = -between;
    for (const LineLegendItem& item : items)
      if (isShown(item, each)) width += widthOf(view, styles, item, each) + between;
    return width;
  });
  float x = min.x;
  for (const LineLegendItem& item : items) {
    if (!isShown(item, wording)) continue;
    const float box = std::round((min.y + bottom - view.px(kBox)) / 2);
    const float end = x + widthOf(view, styles, item, wording);
    item.drawBox({x, box}, {x + view.px(kBox), box + view.px(kBox)});
    const float figure = x + view.px(kBox) + view.px(kInner);
    // Their own width, rounded up, holds them.
    const draw::DrawnText drawn = draw::drawText(view.draw, list, {figure, min.y}, {end + 1, bottom},
                                                 std::to_string(item.count), styles.figure);
    if (const std::string words = wordsOf(item, wording); !words.empty())
      draw::drawText(view.draw, list, {drawn.max.x + view.px(kInner), min.y}, {end + 1, bottom}, words,
                     styles.words);
    explain(view, item.words, {x, min.y}, {end, bottom},
            wording == LegendWording::Words ? std::string_view() : item.words);
    x = end + between;
  }
}

}  // namespace stridescope::views
