#include <algorithm>
#include <cmath>
#include <ranges>

#include "base/numbers.h"
#include "draw/grid_picture.h"
#include "draw/marks.h"
#include "model/arithmetic.h"
#include "narration/memory_words.h"
#include "views/memory/shared_memory_scene.h"
#include "views/shared/panel.h"
#include "views/shared/shown_round.h"

namespace stridescope::views {
namespace {

struct HiddenCell {
  std::string label, value;  // "16", "78"; empty where it is not known
  session::Hover hover;
  bool isAsked = false;
};

// What the question about a value is about; nullptr: there is none.
const teaching::Cell* askedCell(const ViewContext& view) {
  const auto place = placeOfTopic(view.predict, teaching::Topic::CellValues);
  return place ? &view.predict.asked()[*place].question.cell : nullptr;
}

// The registers of the hovered thread's warp, else of the warp that is asked about, else of the first.
std::vector<HiddenCell> registerCells(const ViewContext& view) {
  const auto& held = view.replay.run()->registersBefore;
  const teaching::Cell* const asked = askedCell(view);
  unsigned thread = asked == nullptr ? 0 : asked->thread;
  if (const auto hovered = view.replay.hoveredThread(); hovered && *hovered < held.size()) thread = *hovered;
  const unsigned first = thread / model::kWarpSize * model::kWarpSize;
  std::vector<HiddenCell> cells;
  for (unsigned own = first; own < std::min<std::size_t>(first + model::kWarpSize, held.size()); ++own)
    cells.push_back({.label = std::to_string(own - first),
                     .value = held[own] ? grouped(model::printElement(
                                              view.replay.run()->trace.experiment.type, *held[own]))
                                        : std::string(),
                     .hover = session::hoverThread(own),
                     .isAsked = asked != nullptr && asked->thread == own});
  return cells;
}

// The elements that were not combined yet.
std::vector<HiddenCell> memoryCells(const ViewContext& view, const MemoryScene& scene) {
  std::vector<HiddenCell> cells;
  const unsigned current = view.replay.playhead().round;
  if (!scene.stage.exists() || current >= scene.rows.size()) return cells;
  const auto words = scene.stage.wordsAfter(std::size_t(current));
  const narration::WordPrinter printer(scene.stage.array());
  const teaching::Cell* const asked = askedCell(view);
  for (const std::uint64_t element : scene.rows[current].live)
    cells.push_back({.label = std::to_string(scene.stage.first() + element),
                     .value = words[element] ? printer.brief(*words[element]) : std::string(),
                     .hover = {session::HoverKind::Element, element},
                     .isAsked = asked != nullptr && asked->where != teaching::Cell::Where::Register &&
                                asked->element == scene.stage.first() + element});
  return cells;
}

// Which of the cells are in view: as many as fit their values, with the one that is asked about.
struct CellsInView {
  std::size_t first = 0, count = 0;
};
CellsInView cellsInView(const ViewContext& view, const std::vector<HiddenCell>& cells, float width,
                        const ZoomAndPan& moved) {
  const draw::TextStyle style = view.code(0);
  float widest = view.px(14);
  for (const HiddenCell& cell : cells)
    widest = std::max(widest, draw::textSize(style, cell.value).x + view.px(8));
  std::size_t count = 1;
  while (count * 2 <= cells.size() && float(count * 2) * widest <= width) count *= 2;
  if (float(cells.size()) * widest <= width) count = cells.size();
  if (moved.inView) count = std::clamp<std::size_t>(*moved.inView, 1, cells.size());
  const auto asked = std::ranges::find(cells, true, &HiddenCell::isAsked);
  std::size_t first = asked == cells.end() ? 0 : std::size_t(asked - cells.begin()) / count * count;
  return {std::min(moved.first.value_or(first), cells.size() - count), count};
}

struct CellPainter {
  ViewContext& view;
  ImDrawList& list;
  const std::vector<HiddenCell>& cells;
  CellsInView shown;
  float left, right, labelTop, top, bottom;

  float edge(std::size_t place) const {
    return std::round(left + (right - left) * float(place) / float(shown.count));
  }

  float endOf(std::size_t place) const {
    return edge(place + 1) - float(draw::cellGap(edge(place + 1) - edge(place), 1));
  }

  void draw() const {
    const draw::Palette& colours = view.colours();
    const draw::TextStyle plain = view.code(colours.text);
    const draw::TextStyle dim = view.code(colours.dim);
    const draw::TextStyle strong = view.codeBold(colours.text);
    const bool valuesFit = std::ranges::all_of(std::views::iota(std::size_t{0}, shown.count), [&](auto i) {
      return draw::textSize(plain, cells[shown.first + i].value).x <= endOf(i) - edge(i) - view.px(2);
    });
    float taken = -1e9f, widest = 0;
    for (std::size_t i = 0; i < shown.count; ++i)
      widest = std::max(widest, draw::textSize(dim, cells[shown.first + i].label).x);
    const int step =
        draw::labelStep((right - left) / float(shown.count), widest + view.px(8), int(shown.count));
    for (std::size_t i = 0; i < shown.count; ++i) {
      const HiddenCell& cell = cells[shown.first + i];
      const float from = edge(i), to = endOf(i);
      const ImVec2 min{from, top}, max{std::max(to, from + 1), bottom};
      list.AddRectFilled(min, max, colours.live);
      if (valuesFit)
        view.text(list, min, max, cell.value, cell.isAsked ? strong : plain, draw::TextAlign::Centre);
      if (cell.isAsked) draw::outlineInside(view.draw, list, min, max, colours.text, 2);
      if (view.replay.hover() == cell.hover) draw::drawHoverRing(view.draw, list, min, max);
      const draw::TextStyle& label = cell.isAsked ? strong : dim;
      const float width = draw::textSize(label, cell.label).x;
      const float at = std::round((from + to - width) / 2);
      if (!cell.isAsked && (at < taken || i % std::size_t(step) != 0)) continue;
      taken = at + width + view.px(8) - draw::kLabelRounding;
      view.textAt(list, {at, labelTop}, cell.label, label);
    }
  }
};

// The round's name at the left of the band: "16" over "stride", "write".
void drawName(ViewContext& view, ImDrawList& list, const MemoryScene& scene, float top, float bottom) {
  const lab::RoundName& name = *view.replay.hidden();
  const float left = scene.labelRight - view.px(56), middle = (top + bottom) / 2;
  const bool isNumber = !name.tick.empty() && name.tick[0] >= '0' && name.tick[0] <= '9';
  const float height = view.px(draw::kCaptionSize + 4);
  if (!isNumber)
    return void(view.text(list, {left, middle - height / 2}, {scene.labelRight, middle + height / 2},
                          name.tick, view.semiBold(view.colours().text, draw::kBodySize),
                          draw::TextAlign::Right));
  drawBandNumber(view, list, scene, name.tick, middle);
}

}  // namespace

bool hidesRegisters(const session::Replay& replay) {
  return replay.hidden() != nullptr && !replay.run()->registersBefore.empty();
}

std::string drawHiddenBand(ViewContext& view, ImDrawList& list, const MemoryScene& scene,
                           const BandHeights& heights, float top, ZoomAndPan& moved) {
  const float bottom = drawBandGround(view, list, scene, heights, top);
  drawName(view, list, scene, top, bottom);

  const std::vector<HiddenCell> cells =
      hidesRegisters(view.replay) ? registerCells(view) : memoryCells(view, scene);
  const float labelTop = top + view.px(heights.inset), cellTop = labelTop + view.px(heights.index);
  const float cellBottom = cellTop + view.px(heights.cell);
  const ImVec2 min{scene.left, top}, max{scene.right, bottom};
  drawHiddenWords(view, list, {scene.left, cells.empty() ? top : cellBottom}, max);
  if (cells.empty()) return {};
  const CellsInView shown = cellsInView(view, cells, scene.right - scene.left, moved);
  const CellPainter painter{view, list, cells, shown, scene.left, scene.right, labelTop, cellTop, cellBottom};
  painter.draw();
  const HitArea area = walkArea(view, "shared memory map", min, max, [&](const AddCell& add) {
    for (std::size_t i = 0; i < shown.count; ++i)
      add({{painter.edge(i), cellTop}, {painter.edge(i + 1), cellBottom}},
          view.replay.hover() == cells[shown.first + i].hover);
  });
  const float width = (scene.right - scene.left) / float(shown.count);
  const double pointer = double(shown.first) + double(area.pointer.x / width);
  zoomAndPan(view, area, {cells.size(), shown.first, shown.count, width, pointer}, moved);
  if (area.hovered && area.pointer.y < cellBottom - top) {
    const auto place = std::size_t(std::clamp(pointer, 0.0, double(shown.first + shown.count - 1)));
    hoverOver(view, cells[place].hover);
  }
  if (shown.count == cells.size()) return {};
  return figure(shown.count) + " of " + figure(cells.size()) + " values in view" + kGestures;
}

}  // namespace stridescope::views
