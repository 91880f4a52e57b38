#include "views/memory/race_strip.h"

#include <algorithm>
#include <cmath>

#include "draw/marks.h"
#include "narration/trouble.h"
#include "narration/word_printer.h"

namespace stridescope {
namespace {

constexpr float kLabelWidth = 60, kArrow = 44, kGap = 8, kCellHeight = 26, kLine = 18, kInset = 6;
constexpr const char* kWhy = "no barrier between";

const Array& arrayOf(const RoundAt& at, const Race& race) {
  return race.shared ? at.launch.shared[race.array] : at.launch.buffers[race.array];
}

std::string elementText(const RoundAt& at, const Race& race) {
  return arrayOf(at, race).name + "[" + std::to_string(race.element) + "]";
}

// "thread 16 wrote 280", "line 13, warp 0"
struct AccessText {
  std::string act, where;
};

AccessText textOf(const RoundAt& at, const Race& race, const Race::Access& access) {
  AccessText text{.act = "thread " + std::to_string(access.thread) + " " + std::string(pastOf(access.kind)),
                  .where = "warp " + std::to_string(access.thread / kWarpSize)};
  if (const auto value = valueOf(at, race, access))
    text.act += " " + WordPrinter(at.trace, arrayOf(at, race)).brief(*value);
  if (access.site < at.trace.sites.size())
    text.where = "line " + std::to_string(at.trace.sites[access.site].line) + ", " + text.where;
  return text;
}

struct StripTexts {
  AccessText first, second;
  std::string element;
  float side = 0, middle = 0;  // the widths that they need, pixels
};

StripTexts textsOf(const ViewContext& view, const Race& race) {
  const RoundAt at = roundAt(view.session);
  StripTexts texts{.first = textOf(at, race, race.first),
                   .second = textOf(at, race, race.second),
                   .element = elementText(at, race)};
  const TextStyle act = semiBoldStyle(view.draw, kBodySize, 0), words = wordsStyle(view.draw, kLabelSize, 0);
  for (const AccessText& text : {texts.first, texts.second})
    texts.side = std::max({texts.side, textSize(act, text.act).x, textSize(words, text.where).x});
  texts.middle = std::max(textSize(codeBoldStyle(view.draw, kBodySize, 0), texts.element).x + view.px(24),
                          textSize(words, kWhy).x);
  return texts;
}

float widthOf(const ViewContext& view, const StripTexts& texts) {
  return view.px(kLabelWidth) + 2 * (texts.side + view.px(kArrow + 2 * kGap)) + texts.middle;
}

void drawArrow(ViewContext& view, ImDrawList& list, float from, float to, float y, ImU32 colour) {
  const float head = to > from ? view.px(8) : -view.px(8), half = view.px(5);
  list.AddLine({from, y}, {to - head, y}, colour, view.px(2));
  list.AddTriangleFilled({to, y}, {to - head, y + half}, {to - head, y - half}, colour);
}

// A store goes to the element, a load comes from it.
void drawAccessArrow(ViewContext& view, ImDrawList& list, EventKind kind, float thread, float element,
                     float y) {
  const Palette& colours = view.colours();
  if (kind == EventKind::Load)
    drawArrow(view, list, element, thread, y, colours.operand);
  else
    drawArrow(view, list, thread, element, y, colours.result);
}

}  // namespace

bool raceStripFits(const ViewContext& view, const TroubleMarks& marks, float width) {
  return widthOf(view, textsOf(view, *marks.race)) <= width;
}

void drawRaceStrip(ViewContext& view, ImDrawList& list, const TroubleMarks& marks, ImVec2 min, ImVec2 max) {
  const Palette& colours = view.colours();
  const Race& race = *marks.race;
  const StripTexts texts = textsOf(view, race);
  list.AddRectFilled(min, max, colours.field);
  list.AddRectFilled(min, {min.x + view.px(3), max.y}, colours.problem);

  const float top = min.y + view.px(kInset), cellBottom = top + view.px(kCellHeight);
  const float y = std::round((top + cellBottom) / 2), lower = cellBottom + view.px(2);
  const TextStyle words = wordsStyle(view.draw, kLabelSize, colours.dim);
  drawCross(view.draw, list, {min.x + view.px(18), y}, view.px(5), colours.problem, 2);
  drawText(view.draw, list, {min.x + view.px(28), top}, {min.x + view.px(kLabelWidth), cellBottom}, "race",
           semiBoldStyle(view.draw, kLabelSize, colours.problem));
  if (marks.races > 1)
    drawText(view.draw, list, {min.x + view.px(12), lower},
             {min.x + view.px(kLabelWidth + 12), lower + view.px(kLine)},
             "1 of " + std::to_string(marks.races), words);

  const float left = min.x + view.px(kLabelWidth), middle = std::round((left + max.x) / 2);
  const float cellLeft = std::round(middle - texts.middle / 2),
              cellRight = std::round(middle + texts.middle / 2);
  outlineInside(view.draw, list, {cellLeft, top}, {cellRight, cellBottom}, colours.problem, 2, 3);
  drawText(view.draw, list, {cellLeft, top}, {cellRight, cellBottom}, texts.element,
           codeBoldStyle(view.draw, kBodySize, colours.text), TextAlign::Centre);
  drawText(view.draw, list, {cellLeft, lower}, {cellRight, lower + view.px(kLine)}, kWhy,
           wordsStyle(view.draw, kLabelSize, colours.problem), TextAlign::Centre);

  const float gap = view.px(kGap), arrow = view.px(kArrow);
  const auto side = [&](const AccessText& text, EventKind kind, float from, float to, float arrowThread,
                        float arrowElement, TextAlign align) {
    drawText(view.draw, list, {from, top}, {to, cellBottom}, text.act,
             semiBoldStyle(view.draw, kBodySize, colours.text), align);
    drawText(view.draw, list, {from, lower}, {to, lower + view.px(kLine)}, text.where, words, align);
    drawAccessArrow(view, list, kind, arrowThread, arrowElement, y);
  };
  const float firstEnd = cellLeft - 2 * gap - arrow, secondStart = cellRight + 2 * gap + arrow;
  side(texts.first, race.first.kind, firstEnd - texts.side, firstEnd, firstEnd + gap, cellLeft - gap,
       TextAlign::Right);
  side(texts.second, race.second.kind, secondStart, secondStart + texts.side, secondStart - gap,
       cellRight + gap, TextAlign::Left);

  const HitArea area = hitArea("race", min, max);
  if (marks.element) pointAt(view, area, Hover{HoverKind::Element, *marks.element});
}

}  // namespace stridescope
