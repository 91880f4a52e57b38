#include "views/maps/strides_map.h"

#include <algorithm>

#include "draw/grid_painter.h"
#include "draw/marks.h"
#include "draw/palette.h"
#include "narration/round_kind.h"
#include "views/maps/map_frame.h"
#include "views/shared/explanations.h"

namespace stridescope::views {
namespace {

constexpr float kRowHeight = 14, kHeadHeight = 18;

// The map with where it stands: the sides are those of the panel's content, which a whole row reaches to.
struct Placed {
  const StridesMap& map;
  MapFrame frame;
  float left = 0, right = 0;
  int currentRow = -1;  // may lie outside the map

  unsigned roundOf(int row) const { return map.range.first + unsigned(row); }
};

// The rows' labels take the room of the longest one; a stride's has three digits, so that the grid keeps its
// place from variant to variant.
std::string widestTick(const session::Replay& replay, RoundRange range) {
  std::string widest = "128";
  for (unsigned round = range.first; round < range.last; ++round)
    if (const std::string tick = tickOf(replay, round); tick.size() > widest.size()) widest = tick;
  return widest;
}

// Labels and costs of a row find its round; a click anywhere in it goes there.
void answerPointer(ViewContext& view, const Placed& placed) {
  const MapFrame& frame = placed.frame;
  const unsigned launch = view.replay.playhead().launch;
  const auto area = [&](const char* part, ImVec2 min, ImVec2 max, int columns, int rows) {
    return gridArea(view, (placed.map.name + part).c_str(),
                    {.gridMin = min, .gridMax = max, .columns = columns, .rows = rows});
  };
  const auto roundUnder = [&](const HitArea& under) { return placed.roundOf(frame.rowAt(under.pointer.y)); };
  const auto columnUnder = [&](const HitArea& under) {
    return session::Hover{placed.map.column, std::uint64_t(frame.columnAt(under.pointer.x))};
  };

  const HitArea labels =
      area(": rounds", {placed.left, frame.gridMin.y}, {frame.gridMin.x - 1, frame.gridMax.y}, 1, frame.rows);
  pointAtRound(view, labels, launch, roundUnder(labels));
  const HitArea costs =
      area(": costs", {frame.gridMax.x + 1, frame.gridMin.y}, {placed.right, frame.gridMax.y}, 1, frame.rows);
  pointAtRound(view, costs, launch, roundUnder(costs));
  if (placed.map.columnLabel) {
    const HitArea head = area(": columns", {frame.gridMin.x, frame.gridMin.y - view.px(kAxisHeight)},
                              {frame.gridMax.x, frame.gridMin.y - 1}, frame.columns, 1);
    pointAt(view, head, columnUnder(head));
  }
  const HitArea cells = area("", frame.gridMin, frame.gridMax, frame.columns, frame.rows);
  if (cells.clicked) view.commands.push_back(session::GoToRound{launch, roundUnder(cells)});
  if (cells.hovered && view.replay.hover() != columnUnder(cells))
    view.commands.push_back(session::PointAt{columnUnder(cells)});
}

// What is lit in the current round's row, a ring round each run of columns; the hovered round's whole row.
void light(ViewContext& view, ImDrawList& list, const Placed& placed) {
  const MapFrame& frame = placed.frame;
  const int current = placed.currentRow;
  for (int column = 0; current >= 0 && current < frame.rows && column < frame.columns;) {
    int end = column;
    while (end < frame.columns && placed.map.isLit(end)) ++end;
    if (end > column && end - column < frame.columns)
      draw::drawHoverRingOnAmounts(view.draw, list, frame.cellMin(column, current),
                                   frame.cellMax(end - 1, current));
    column = std::max(end, column + 1);
  }
  for (int row = 0; row < frame.rows; ++row)
    if (view.linked.round(placed.roundOf(row)))
      draw::drawHoverRingOnAmounts(view.draw, list, {placed.left, frame.cellMin(0, row).y},
                                   {placed.right, frame.cellMax(0, row).y});
}

void drawCosts(ViewContext& view, ImDrawList& list, const Placed& placed) {
  const MapFrame& frame = placed.frame;
  const draw::Palette& colours = view.colours();
  const float line = view.px(draw::kLabelSize + 1);
  float taken = -1e9f;
  for (int row = 0; row < frame.rows; ++row) {
    const float middle = (frame.cellMin(0, row).y + frame.cellMax(0, row).y) / 2;
    if (middle - line / 2 < taken) continue;
    taken = middle + line / 2;
    const draw::TextStyle style = row == placed.currentRow
                                      ? draw::codeBoldStyle(view.draw, draw::kLabelSize, colours.text)
                                      : draw::codeStyle(view.draw, draw::kLabelSize, colours.dim);
    draw::drawText(view.draw, list, {frame.gridMax.x, middle - line / 2}, {placed.right, middle + line / 2},
                   placed.map.costs[std::size_t(row)], style, draw::TextAlign::Right);
  }
}

// In all cells or, where the widest does not fit, in none.
void drawAmounts(ViewContext& view, ImDrawList& list, const Placed& placed) {
  const MapFrame& frame = placed.frame;
  const MapBytes& bytes = placed.map.bytes;
  draw::TextStyle style = draw::codeStyle(view.draw, draw::kLabelSize, 0);
  const auto most = std::ranges::max_element(bytes.cells);
  if (most == bytes.cells.end()) return;
  const float column = (frame.gridMax.x - frame.gridMin.x) / float(frame.columns);
  if (column < draw::textSize(style, std::to_string(*most)).x + view.px(4)) return;
  for (int row = 0; row < frame.rows; ++row)
    for (int at = 0; at < frame.columns; ++at) {
      const unsigned amount = bytes.at(at, row);
      if (amount == 0) continue;
      style.colour = draw::readableOn(placed.map.styles[amount].fill);
      draw::drawText(view.draw, list, frame.cellMin(at, row), frame.cellMax(at, row), std::to_string(amount),
                     style, draw::TextAlign::Centre);
    }
}

}  // namespace

float heightOf(const ViewContext& view, const StridesMap& map) {
  return view.px(kHeadHeight + (map.columnLabel ? kAxisHeight : 0)) +
         view.px(kRowHeight) * float(map.range.count());
}

void drawStridesMap(ViewContext& view, ImDrawList& list, ImVec2 min, ImVec2 max, const StridesMap& map) {
  const draw::Palette& colours = view.colours();
  draw::drawText(view.draw, list, min, {max.x, min.y + view.px(kHeadHeight)}, map.head,
                 draw::wordsStyle(view.draw, draw::kLabelSize, colours.dim));
  explain(view, map.head, min, {max.x, min.y + view.px(kHeadHeight)});

  // A frame leaves room above for column labels: without them the head stands there.
  const float top = min.y + (map.columnLabel ? view.px(kHeadHeight) : 0);
  const std::string widest = widestTick(view.replay, map.range);
  const Placed placed{.map = map,
                      .frame = layOutMap(view, {min.x, top}, {max.x - view.px(map.costWidth), max.y},
                                         map.bytes.columns, map.bytes.rows, kRowHeight, widest),
                      .left = min.x,
                      .right = max.x,
                      .currentRow = int(view.replay.playhead().round) - int(map.range.first)};
  const MapFrame& frame = placed.frame;
  if (placed.currentRow >= 0 && placed.currentRow < frame.rows)
    list.AddRectFilled({min.x, frame.cellMin(0, placed.currentRow).y},
                       {max.x, frame.cellMax(0, placed.currentRow).y}, colours.field);
  drawMapLabels(view, list, frame,
                {.column = map.columnLabel,
                 .row = [&](int row) { return tickOf(view.replay, placed.roundOf(row)); },
                 .strongRow = placed.currentRow,
                 .widestRow = widest});
  draw::paintGrid(view.draw, list, frame.gridMin, frame.gridMax,
                  {.name = map.name,
                   .columns = map.bytes.columns,
                   .rows = map.bytes.rows,
                   .cells = map.bytes.cells,
                   .styles = map.styles});
  if (map.columnLabel) drawAmounts(view, list, placed);
  drawCosts(view, list, placed);
  light(view, list, placed);
  answerPointer(view, placed);
}

}  // namespace stridescope::views
