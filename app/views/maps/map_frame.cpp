#include "views/maps/map_frame.h"

#include <cmath>
#include <cstdlib>
#include <string>

#include "draw/grid_painter.h"
#include "views/shared/cell_walk.h"
#include "views/shared/explanations.h"

namespace stridescope::views {
namespace {

constexpr float kBetweenNumbers = 10;  // units, of columns

}  // namespace

ImVec2 MapFrame::cellMin(int column, int row) const {
  return {gridMin.x + float(draw::cellEdge(column, columns, int(gridMax.x - gridMin.x))),
          gridMin.y + float(draw::cellEdge(row, rows, int(gridMax.y - gridMin.y)))};
}

ImVec2 MapFrame::cellMax(int column, int row) const { return cellMin(column + 1, row + 1); }

int MapFrame::columnAt(float x) const { return draw::cellAt(int(x), columns, int(gridMax.x - gridMin.x)); }
int MapFrame::rowAt(float y) const { return draw::cellAt(int(y), rows, int(gridMax.y - gridMin.y)); }

MapFrame layOutMap(const ViewContext& view, ImVec2 min, ImVec2 max, int columns, int rows,
                   float mostRowHeight, const std::string& widestRow) {
  const draw::TextStyle style = view.code(0);
  const float left = widestRow.empty() ? 0 : std::ceil(draw::textSize(style, widestRow).x) + view.px(8);
  MapFrame frame{.gridMin = {min.x + left, min.y + view.px(kAxisHeight)},
                 .gridMax = max,
                 .columns = columns,
                 .rows = rows};
  // Where the room is, cells grow to squares, and those of few rows to several times their width.
  constexpr float kMaxHeightOverWidth = 4, kHighCell = 100;
  const float width = (max.x - frame.gridMin.x) / float(columns);
  const float mostRow =
      std::max({view.px(mostRowHeight), width, std::min(kMaxHeightOverWidth * width, view.px(kHighCell))});
  const float height = std::min(frame.gridMax.y - frame.gridMin.y, mostRow * float(rows));
  frame.gridMax.y = frame.gridMin.y + std::max(float(rows), std::floor(height));
  frame.gridMax.x = std::max(frame.gridMin.x + float(columns), std::floor(frame.gridMax.x));
  return frame;
}

std::function<std::string(int)> numberedColumns(const ViewContext& view, const MapFrame& frame) {
  const float cell = (frame.gridMax.x - frame.gridMin.x) / float(frame.columns);
  const float widest = draw::textSize(view.codeBold(0), std::to_string(frame.columns - 1)).x;
  const int step = draw::labelStep(cell, widest + view.px(kBetweenNumbers), frame.columns);
  return [step](int column) { return column % step == 0 ? std::to_string(column) : std::string(); };
}

HitArea gridArea(ViewContext& view, const char* label, const MapFrame& frame,
                 std::optional<MapCell> hovered) {
  return walkArea(view, label, frame.gridMin, frame.gridMax, [&](const AddCell& add) {
    for (int row = 0; row < frame.rows; ++row)
      for (int column = 0; column < frame.columns; ++column)
        add({frame.cellMin(column, row), frame.cellMax(column, row)}, hovered == MapCell{column, row});
  });
}

HitArea warpLabelArea(ViewContext& view, const MapFrame& frame, float left) {
  return gridArea(view, "warps",
                  {.gridMin = {left, frame.gridMin.y},
                   .gridMax = {frame.gridMin.x - 1, frame.gridMax.y},
                   .columns = 1,
                   .rows = frame.rows});
}

void pointAtWarpLabels(ViewContext& view, const MapFrame& frame, float left) {
  const HitArea area = warpLabelArea(view, frame, left);
  pointAt(view, area, session::Hover{session::HoverKind::Warp, std::uint64_t(frame.rowAt(area.pointer.y))});
}

LaneMap drawLaneMap(ViewContext& view, const draw::Panel& panel, std::string_view name, const MapBytes& bytes,
                    std::span<const draw::CellStyle> styles, float mostRowHeight,
                    std::optional<unsigned> strongThread) {
  const ImVec2 min = panel.contentMin();
  ImVec2 max = panel.contentMax();
  const float legend = view.px(kLineLegendHeight + kLegendGap);
  LaneMap map;
  map.hasLegend = max.y - min.y - legend >= view.px(kAxisHeight) + view.px(4) * float(bytes.rows);
  if (map.hasLegend) max.y -= legend;
  const std::string lastWarp = "W" + std::to_string(bytes.rows - 1);
  map.frame = layOutMap(view, min, max, bytes.columns, bytes.rows, mostRowHeight, lastWarp);
  map.legendMin = {min.x, map.frame.gridMax.y + view.px(kLegendGap)};
  drawMapLabels(view, panel.list(), map.frame,
                {.column = numberedColumns(view, map.frame),
                 .row = [](int warp) { return "W" + std::to_string(warp); },
                 .strongRow = strongThread ? int(*strongThread / model::kWarpSize) : -1,
                 .widestRow = lastWarp});
  draw::paintGrid(
      view.draw, panel.list(), map.frame.gridMin, map.frame.gridMax,
      {.name = name, .columns = bytes.columns, .rows = bytes.rows, .cells = bytes.cells, .styles = styles});
  return map;
}

HitArea laneMapArea(ViewContext& view, const MapFrame& frame) {
  std::optional<MapCell> hovered;
  if (const auto thread = view.replay.hoveredThread())
    hovered = {int(*thread % model::kWarpSize), int(*thread / model::kWarpSize)};
  return gridArea(view, "lanes map", frame, hovered);
}

void drawMapLabels(ViewContext& view, ImDrawList& list, const MapFrame& frame, const MapLabels& labels) {
  const draw::Palette& colours = view.colours();
  const draw::TextStyle dim = view.code(colours.dim);
  const draw::TextStyle strong = view.codeBold(colours.text);

  // The current label comes first, so that its neighbours give way to it.
  const auto drawColumn = [&](int column, float& taken, const draw::TextStyle& style, float blockedFrom,
                              float blockedTo) {
    const std::string text = labels.column(column);
    if (text.empty()) return std::pair{0.0f, 0.0f};
    const float width = draw::textSize(style, text).x;
    const float middle = (frame.cellMin(column, 0).x + frame.cellMax(column, 0).x) / 2;
    // The first and the last label stay over the grid instead of being centred past its edge.
    const float left =
        std::max(frame.gridMin.x, std::min(std::round(middle - width / 2), frame.gridMax.x - width));
    if (left < taken || (left < blockedTo && left + width > blockedFrom)) return std::pair{0.0f, 0.0f};
    taken = left + width + view.px(4);
    view.textAt(list, {left, frame.gridMin.y - view.px(kAxisHeight)}, text, style);
    return std::pair{left - view.px(4), left + width + view.px(4)};
  };
  if (labels.column) {
    std::pair<float, float> blocked{0, 0};
    float taken = -1e9f;
    if (labels.strongColumn >= 0 && labels.strongColumn < frame.columns)
      blocked = drawColumn(labels.strongColumn, taken, strong, 0, 0);
    taken = -1e9f;
    for (int column = 0; column < frame.columns; ++column)
      if (column != labels.strongColumn) drawColumn(column, taken, dim, blocked.first, blocked.second);
  }

  if (!labels.row) return;
  const float lineHeight = view.px(draw::kLabelSize) * 1.15f;
  const float rowHeight = (frame.gridMax.y - frame.gridMin.y) / float(frame.rows);
  const int step = draw::labelStep(rowHeight, lineHeight, frame.rows);
  // The current row has its label in any case, and those that it would touch give way.
  for (int row = 0; row < frame.rows; ++row) {
    const bool current = row == labels.strongRow;
    const bool touchesCurrent = labels.strongRow >= 0 && labels.strongRow < frame.rows &&
                                float(std::abs(row - labels.strongRow)) * rowHeight < lineHeight;
    if (!current && (row % step != 0 || touchesCurrent)) continue;
    const std::string text = labels.row(row);
    const ImVec2 cell = frame.cellMin(0, row);
    const float bottom = frame.cellMax(0, row).y;
    const float middle = (cell.y + bottom) / 2;
    if (text.empty()) continue;
    const ImVec2 max{frame.gridMin.x - view.px(8), middle + lineHeight / 2};
    view.text(list, {max.x - view.px(60), middle - lineHeight / 2}, max, text, current ? strong : dim,
              draw::TextAlign::Right);
  }
}

namespace {

constexpr float kInner = 5, kBetweenLegendItems = 12;  // units

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
  return view.px(kLegendBox) + view.px(kInner) + figure +
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
  const Styles styles{view.codeBold(view.colours().text), view.words(view.colours().dim)};
  const float between = view.px(kBetweenLegendItems), bottom = min.y + view.px(kLineLegendHeight);
  const LegendWording wording = wordingFor(right - min.x, [&](LegendWording each) {
    float width = -between;
    for (const LineLegendItem& item : items)
      if (isShown(item, each)) width += widthOf(view, styles, item, each) + between;
    return width;
  });
  float x = min.x;
  for (const LineLegendItem& item : items) {
    if (!isShown(item, wording)) continue;
    const float box = std::round((min.y + bottom - view.px(kLegendBox)) / 2);
    const float end = x + widthOf(view, styles, item, wording);
    item.drawBox({x, box}, {x + view.px(kLegendBox), box + view.px(kLegendBox)});
    const float figure = x + view.px(kLegendBox) + view.px(kInner);
    // Their own width, rounded up, holds them.
    const draw::DrawnText drawn =
        view.text(list, {figure, min.y}, {end + 1, bottom}, std::to_string(item.count), styles.figure);
    if (const std::string words = wordsOf(item, wording); !words.empty())
      view.text(list, {drawn.max.x + view.px(kInner), min.y}, {end + 1, bottom}, words, styles.words);
    explain(view, item.words, {x, min.y}, {end, bottom},
            wording == LegendWording::Words ? std::string_view() : item.words);
    x = end + between;
  }
}

}  // namespace stridescope::views
