#include <algorithm>
#include <cmath>

#include "draw/grid_picture.h"
#include "draw/marks.h"
#include "narration/memory_words.h"
#include "narration/round_kind.h"
#include "views/memory/shared_memory_scene.h"
#include "views/shared/cell_walk.h"

namespace stridescope::views {
namespace {

constexpr float kMinWalkedCell = 3;  // units; the arrow keys go over narrower elements several at a time

void drawRowLabel(ViewContext& view, ImDrawList& list, const MemoryScene& scene, unsigned round, float top,
                  float height) {
  const std::string text = narration::tickOf(roundAt(view.replay, round));
  const float middle = top + height / 2, half = view.px(draw::kLabelLineHeight) / 2;
  const ImVec2 min{scene.labelRight - view.px(48), middle - half}, max{scene.labelRight, middle + half};
  const HitArea area = walkArea(view, ("round " + std::to_string(round)).c_str(), min, max);
  pointAtRound(view, area, view.replay.playhead().launch, round);
  const bool lit = area.hovered || view.linked.round(round);
  view.text(list, min, max, text, lit ? view.codeBold(view.colours().text) : view.code(view.colours().dim),
            draw::TextAlign::Right);
  if (view.linked.round(round))
    draw::drawHoverRing(view.draw, list, {scene.left, top}, {scene.right, top + height});
}

// The values of the row's cells in view, or none if the widest does not fit.
std::vector<std::string> valuesThatFit(ViewContext& view, const MemoryStage& stage, const MemoryRow& row,
                                       const draw::TextStyle& style, const std::vector<std::uint64_t>& shown,
                                       float cellWidth) {
  constexpr std::size_t kMaxValues = 128;
  if (shown.size() > kMaxValues) return {};
  const narration::WordPrinter printer(stage.array());
  const auto words = stage.wordsAfter(row.round);
  std::vector<std::string> texts;
  for (const std::uint64_t element : shown) {
    texts.push_back(words[element] ? printer.brief(*words[element]) : std::string());
    if (draw::textSize(style, texts.back()).x + view.px(4) > cellWidth) return {};
  }
  return texts;
}

// Pointing at a cell of a row finds its element.
void pointAtElement(ViewContext& view, const MemoryScene& scene, const MemoryRow& row,
                    const std::vector<std::uint64_t>& shown, float top, float height) {
  const HitArea area = walkArea(view, ("row " + std::to_string(row.round)).c_str(), {scene.left, top},
                                {scene.right, top + height}, [&](const AddCell& add) {
                                  for (const std::uint64_t element : shown) {
                                    const float left = std::max(scene.left, scene.xOf(element)),
                                                right = std::min(scene.right, scene.xOf(element + row.span));
                                    add({{left, top}, {right, top + height}}, false);
                                  }
                                });
  if (!area.hovered) return;
  const double part = double(area.pointer.x) / double(std::max(1.0f, scene.right - scene.left));
  const std::uint64_t element =
      scene.inView.first +
      std::uint64_t(std::max(0.0, part) * double(scene.inView.last - scene.inView.first));
  if (element < scene.elements)
    pointAt(view, area, session::Hover{session::HoverKind::Element, element / row.span * row.span});
}

}  // namespace

float MemoryScene::xOf(std::uint64_t element) const {
  const double part = (double(element) - double(inView.first)) /
                      double(std::max<std::uint64_t>(1, inView.last - inView.first));
  return std::round(left + float(part) * (right - left));
}

// A column's result is the element of the column's number, so that rows below can stand under the columns.
bool MemoryScene::leavesNeighbours() const {
  for (std::size_t i = 0; i < band.columns.size(); ++i) {
    const auto& result = band.columns[i].work->result;
    if (stage.holds(result) && stage.placeOf(*result) != band.firstColumn + i) return false;
  }
  return true;
}

float MemoryScene::xBelow(std::uint64_t element) const {
  const bool fromTheStart = band.firstColumn == 0;  // later rounds shrink towards element 0
  if (band.shape == BandShape::Adjacent || band.columns.empty() || band.allColumns == elements ||
      !fromTheStart || !leavesNeighbours())
    return xOf(element);
  const double column = double(element) - double(band.firstColumn);
  return std::round(left + float(column / double(band.columns.size())) * (right - left));
}

void drawPastRow(ViewContext& view, ImDrawList& list, const MemoryScene& scene, unsigned round, float top,
                 float height) {
  const draw::Palette& colours = view.colours();
  const MemoryRow& row = scene.rows[round];
  drawRowLabel(view, list, scene, round, top, height);
  list.AddRectFilled({scene.left, top}, {scene.right, top + height}, colours.dead);
  std::vector<std::uint64_t> shown;
  for (const std::uint64_t element : row.live)
    if (element + row.span > scene.inView.first && element < scene.inView.last) shown.push_back(element);
  pointAtElement(view, scene, row, shown, top, height);
  if (shown.empty()) return;
  const float cellWidth =
      (scene.right - scene.left) * float(row.span) / float(scene.inView.last - scene.inView.first);
  const float gap = float(draw::cellGap(cellWidth, 1));
  const draw::TextStyle style = view.code(colours.text);
  const auto values = height >= view.px(draw::kLabelSize + 2)
                          ? valuesThatFit(view, scene.stage, row, style, shown, cellWidth)
                          : std::vector<std::string>();
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const ImVec2 min{std::max(scene.left, scene.xOf(shown[i])), top};
    const ImVec2 max{std::min(scene.right, scene.xOf(shown[i] + row.span)) - gap, top + height};
    list.AddRectFilled(min, max, colours.live);
    if (view.linked.anyElement(shown[i], shown[i] + row.span))
      draw::drawLinkedRing(view.draw, list, min, max);
    if (!values.empty()) view.text(list, min, max, values[i], style, draw::TextAlign::Centre);
  }
}

void markTroubled(ViewContext& view, ImDrawList& list, const MemoryScene& scene, float top, float bottom) {
  const auto element = view.trouble.element;
  if (!element || *element < scene.inView.first || *element >= scene.inView.last) return;
  const float from = scene.xOf(*element), to = std::max(scene.xOf(*element + 1), from + view.px(4));
  draw::drawProblemRing(view.draw, list, {from - view.px(2), top - view.px(2)},
                        {to + view.px(1), bottom + view.px(2)});
}

void drawRowToCome(ViewContext& view, ImDrawList& list, const MemoryScene& scene, unsigned round, float top,
                   float height) {
  const MemoryRow& row = scene.rows[round];
  drawRowLabel(view, list, scene, round, top, height);
  const ImU32 colour = view.colours().toCome;
  bool joined = false;  // cells too narrow for outlines of their own become one
  float from = scene.right, to = scene.left;
  for (const std::uint64_t element : row.live) {
    const float left = std::max(scene.left, scene.xBelow(element));
    const float right = std::min(scene.right, scene.xBelow(element + row.span));
    if (right <= left) continue;
    from = std::min(from, left);
    to = std::max(to, right);
    if (right - left < view.px(5)) {
      joined = true;
      continue;
    }
    draw::outlineInside(view.draw, list, {left, top}, {right - view.px(2), top + height}, colour, 1);
  }
  if (joined) draw::outlineInside(view.draw, list, {from, top}, {to, top + height}, colour, 1);
}

bool hasOverview(const MemoryScene& scene, bool withPastRows) {
  if (scene.band.everything() || scene.elements == 0 || scene.ofBand.first >= scene.ofBand.last) return false;
  if (!touchesStage(scene.band, scene.stage)) return false;
  if (scene.band.shape == BandShape::Columns && !isContiguous(scene.band)) return false;
  return scene.band.shape == BandShape::Adjacent || !withPastRows;
}

std::optional<std::uint64_t> drawOverview(ViewContext& view, ImDrawList& list, const MemoryScene& scene,
                                          float top, float height) {
  const draw::Palette& colours = view.colours();
  const float middle = top + height / 2, half = view.px(draw::kLabelLineHeight) / 2;
  view.text(list, {scene.labelRight - view.px(48), middle - half}, {scene.labelRight, middle + half}, "all",
            view.code(colours.dim), draw::TextAlign::Right);
  const float width = scene.right - scene.left;
  const auto x = [&](std::uint64_t element) {
    return std::round(scene.left + width * float(element) / float(scene.elements));
  };
  const HitArea area =
      walkArea(view, "all elements", {scene.left, top}, {scene.right, top + height}, [&](const AddCell& add) {
        const double narrow = double(view.px(kMinWalkedCell)) * double(scene.elements) / double(width);
        const std::uint64_t step = std::max<std::uint64_t>(1, std::uint64_t(std::ceil(narrow)));
        for (std::uint64_t first = 0; first < scene.elements; first += step)
          add({{x(first), top}, {x(std::min(scene.elements, first + step)), top + height}}, false);
      });
  const double part = std::clamp(double(area.pointer.x) / double(std::max(1.0f, width)), 0.0, 1.0);
  const std::uint64_t element = std::min(scene.elements - 1, std::uint64_t(part * double(scene.elements)));
  const bool held = ImGui::IsItemActive() || area.clicked;
  if (area.hovered && !held) hoverOver(view, {session::HoverKind::Element, element});
  list.AddRectFilled({scene.left, top}, {scene.right, top + height}, colours.dead);
  const auto mark = [&](const std::optional<analysis::Operand>& operand, ImU32 colour) {
    if (!scene.stage.holds(operand)) return;
    const std::uint64_t place = scene.stage.placeOf(*operand);
    list.AddRectFilled({x(place), top}, {std::max(x(place + 1), x(place) + 1), top + height}, colour);
  };
  for (const analysis::ThreadWork& work : view.replay.flow().work) {
    const bool loads = scene.stage.holds(work.a) || scene.stage.holds(work.b);
    if (!loads) mark(work.result, colours.result);  // a round that brings its operands from elsewhere
    mark(work.a, colours.operand);
    mark(work.b, colours.operand);
  }
  draw::drawHoverRingOnAmounts(view.draw, list, {x(scene.ofBand.first), top - view.px(1)},
                               {x(scene.ofBand.last), top + height + view.px(1)});
  for (std::uint64_t lit = 0; lit < scene.elements; ++lit)
    if (view.linked.element(lit))
      list.AddRectFilled({x(lit), top}, {std::max(x(lit + 1), x(lit) + view.px(2)), top + height},
                         colours.hover);
  return held ? std::optional(element) : std::nullopt;
}

void drawElementAxis(ViewContext& view, ImDrawList& list, const MemoryScene& scene, float top) {
  const draw::TextStyle style = view.code(view.colours().dim);
  const std::uint64_t first = scene.inView.first, count = scene.inView.last - first;
  if (count == 0) return;
  const std::string last = std::to_string(scene.stage.first() + scene.inView.last - 1);
  // A label every power of two of elements, as close as leaves a label's width between two.
  std::uint64_t distance = 1;
  const float room = draw::textSize(style, last).x + view.px(24);
  while (double(scene.right - scene.left) * double(distance) / double(count) < double(room)) distance *= 2;
  if (distance == 1) {  // as wide as that, each stands over its element
    for (std::uint64_t element = first; element < scene.inView.last; ++element)
      view.text(list, {scene.xOf(element), top},
                {scene.xOf(element + 1), top + view.px(draw::kLabelLineHeight)},
                std::to_string(scene.stage.first() + element), style, draw::TextAlign::Centre);
    return;
  }
  const float lastLeft = scene.right - draw::textSize(style, last).x;
  view.textAt(list, {lastLeft, top}, last, style);
  for (std::uint64_t element = (first + distance - 1) / distance * distance; element + 1 < scene.inView.last;
       element += distance) {
    const std::string text = std::to_string(scene.stage.first() + element);
    if (scene.xOf(element) + draw::textSize(style, text).x + view.px(8) > lastLeft) break;
    view.textAt(list, {scene.xOf(element), top}, text, style);
  }
}

// Which elements of the row above the band shows: the wedge between the two, and its words.

bool hasWedge(const MemoryScene& scene) {
  if (scene.band.shape != BandShape::Columns || scene.band.columns.empty() || !isContiguous(scene.band))
    return false;
  const analysis::ThreadWork& first = *scene.band.columns.front().work;
  const analysis::ThreadWork& last = *scene.band.columns.back().work;
  if (!scene.stage.holds(first.a) || !scene.stage.holds(first.b) || !scene.stage.holds(last.a)) return false;
  if (last.b && !scene.stage.holds(last.b)) return false;
  return !last.b || last.b->element - last.a->element == first.b->element - first.a->element;
}

std::string pairsInView(const MemoryScene& scene) {
  const analysis::ThreadWork& first = *scene.band.columns.front().work;
  const analysis::ThreadWork& last = *scene.band.columns.back().work;
  const auto range = [](std::uint64_t from, std::uint64_t to) {
    return std::to_string(from) + (from == to ? "" : "-" + std::to_string(to));
  };
  return (&first == &last ? "element " : "elements ") + range(first.a->element, last.a->element) + " over " +
         range(first.b->element, (last.b ? *last.b : *first.b).element);
}

void drawWedge(ViewContext& view, ImDrawList& list, const MemoryScene& scene, float rowBottom,
               float bandTop) {
  const draw::Palette& colours = view.colours();
  const analysis::ThreadWork& first = *scene.band.columns.front().work;
  const analysis::ThreadWork& last = *scene.band.columns.back().work;
  const auto part = [&](const analysis::Operand& from, const analysis::Operand& to) {
    const std::uint64_t one = scene.stage.placeOf(from), other = scene.stage.placeOf(to);
    return std::pair{scene.xOf(std::min(one, other)), scene.xOf(std::max(one, other) + 1)};
  };
  const auto a = part(*first.a, *last.a);
  const auto b = part(*first.b, last.b ? *last.b : *first.b);
  const float y = rowBottom + view.px(2);
  for (const auto& [from, to] : {a, b}) {
    list.AddQuadFilled({from, y}, {to, y}, {scene.right, bandTop}, {scene.left, bandTop},
                       draw::withAlpha(colours.raised, 0.6f));
    list.AddRectFilled({from, y}, {to, y + view.px(2)}, colours.text);
  }
  list.AddRectFilled({b.first, y - view.px(2)}, {b.first + view.px(1), y + view.px(5)}, colours.text);
  view.text(list, {scene.left, y + view.px(4)}, {scene.right, bandTop}, pairsInView(scene),
            view.words(colours.dim), draw::TextAlign::Centre);
}

}  // namespace stridescope::views
