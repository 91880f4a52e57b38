#include "views/ladder_view.h"

#include "draw/panel.h"
#include "kernels/catalog.h"

namespace stridescope {
namespace {

constexpr float kTitleLine = 20, kSentenceLine = 16, kInset = 10, kNumberWidth = 16;

// The sentences go first where there is too little room for all of them.
bool sentencesFit(const ViewContext& view, float width, float height) {
  const TextStyle words = wordsStyle(view.draw, kLabelSize, 0);
  float needed = 0;
  for (const Variant& variant : catalog())
    needed += view.px(kTitleLine + 2 * kInset) +
              view.px(kSentenceLine) *
                  float(wrappedLineCount(words, variant.changed, width - view.px(kNumberWidth)));
  return needed <= height;
}

}  // namespace

void drawLadder(ViewContext& view) {
  Panel panel(view.draw, {.name = kLadderPanel, .leastWidth = 140, .leastHeight = 120});
  if (!panel) return;
  const Palette& colours = view.colours();
  ImDrawList& list = panel.list();
  const ImVec2 min = panel.contentMin(), max = panel.contentMax();
  const bool sentences = sentencesFit(view, max.x - min.x, max.y - min.y);
  const TextStyle words = wordsStyle(view.draw, kLabelSize, colours.dim);

  float y = min.y;
  int number = 1;
  for (const Variant& variant : catalog()) {
    const bool chosen = view.session.experiment().variant == variant.id;
    const float textLeft = min.x + view.px(kNumberWidth);
    const int lines = sentences ? wrappedLineCount(words, variant.changed, max.x - textLeft) : 0;
    const float height = view.px(kTitleLine + 2 * kInset) + view.px(kSentenceLine) * float(lines);
    if (y + height > max.y) break;
    const ImVec2 rowMin{min.x - view.px(kPanelInset), y}, rowMax{max.x + view.px(kPanelInset), y + height};
    const HitArea area = hitArea(std::string(variant.title).c_str(), {min.x, y}, {max.x, y + height});
    if (area.clicked) view.commands.push_back(ChooseVariant{std::string(variant.id)});
    if (chosen || area.hovered) list.AddRectFilled(rowMin, rowMax, chosen ? colours.raised : colours.field);
    if (chosen) list.AddRectFilled(rowMin, {rowMin.x + view.px(3), rowMax.y}, colours.result);

    const float top = y + view.px(kInset);
    drawText(view.draw, list, {min.x, top}, {textLeft, top + view.px(kTitleLine)}, std::to_string(number),
             codeStyle(view.draw, kBodySize, chosen ? colours.text : colours.dim));
    drawText(view.draw, list, {textLeft, top}, {max.x + view.px(8), top + view.px(kTitleLine)}, variant.title,
             semiBoldStyle(view.draw, kBodySize, colours.text));
    if (sentences)
      drawWrapped(view.draw, list, {textLeft, top + view.px(kTitleLine)}, max.x - textLeft,
                  view.px(kSentenceLine), variant.changed, words);
    y += height;
    ++number;
  }
}

}  // namespace stridescope
