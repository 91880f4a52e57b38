#include "views/maps/predicted_lanes.h"

#include <array>
#include <cmath>

#include "draw/grid_painter.h"
#include "draw/marks.h"
#include "narration/wording.h"
#include "views/maps/map_frame.h"
#include "views/shared/map_bytes.h"
#include "views/shared/panel.h"

namespace stridescope::views {
namespace {

constexpr std::uint8_t kEmptyCell = 0, kMarkedCell = 1, kNoLane = 255;

MapBytes markBytes(const ViewContext& view) {
  const model::LaunchTrace& launch = view.replay.launch();
  MapBytes bytes{.columns = int(model::kWarpSize), .rows = int(warpsOf(launch))};
  bytes.cells.assign(std::size_t(bytes.columns) * std::size_t(bytes.rows), kNoLane);
  for (unsigned thread = 0; thread < launch.block; ++thread)
    bytes.cells[thread] = isMarked(view.predict, thread) ? kMarkedCell : kEmptyCell;
  return bytes;
}

// The square in a marked cell: the frame round it is the grid's.
void drawSquare(const ViewContext& view, ImDrawList& list, ImVec2 min, ImVec2 max) {
  const float half = std::max(1.0f, std::floor(std::min({max.x - min.x, max.y - min.y, view.px(18)}) / 5));
  const ImVec2 middle{std::round((min.x + max.x) / 2), std::round((min.y + max.y) / 2)};
  list.AddRectFilled({middle.x - half, middle.y - half}, {middle.x + half, middle.y + half},
                     view.colours().text);
}

// All that one drag paints is one step of undo.
void paintThread(ViewContext& view, const MapCell& cell, LanePainting& painting) {
  const unsigned thread = unsigned(cell.row) * model::kWarpSize + unsigned(cell.column);
  if (thread >= view.replay.launch().block || isMarked(view.predict, thread) == painting.on) return;
  session::PredictStep step = markThreads(view.predict, thread, thread, painting.on);
  step.goesOn = std::exchange(painting.begun, true);
  view.commands.push_back(std::move(step));
}

// Every cell on the way from one to the other, however fast the pointer went.
void paintLine(ViewContext& view, const MapCell& from, const MapCell& to, LanePainting& painting) {
  const int steps = std::max({1, std::abs(to.column - from.column), std::abs(to.row - from.row)});
  for (int step = 0; step <= steps; ++step) {
    const float part = float(step) / float(steps);
    paintThread(view,
                {from.column + int(std::lround(part * float(to.column - from.column))),
                 from.row + int(std::lround(part * float(to.row - from.row)))},
                painting);
  }
}

// Drag paints, a click takes a mark away.
void takePointer(ViewContext& view, const MapFrame& frame, LanePainting& painting) {
  const HitArea area = laneMapArea(view, frame);
  if (area.hovered || area.held) {
    const MapCell cell{frame.columnAt(area.pointer.x), frame.rowAt(area.pointer.y)};
    const unsigned thread = unsigned(cell.row) * model::kWarpSize + unsigned(cell.column);
    if (thread < view.replay.launch().block) hoverOver(view, session::hoverThread(thread));
    if (area.clicked) painting = {.last = cell, .on = !isMarked(view.predict, thread)};
    if (painting.last && (area.clicked || area.held)) {
      paintLine(view, *painting.last, cell, painting);
      painting.last = cell;
    }
  }
  if (!area.held) painting.last.reset();
}

// The label of a warp marks all of it, or takes all its marks away.
void takeWarpLabels(ViewContext& view, const MapFrame& frame, float left) {
  const HitArea area = warpLabelArea(view, frame, left);
  if (!area.hovered) return;
  const auto warp = unsigned(frame.rowAt(area.pointer.y));
  hoverOver(view, {session::HoverKind::Warp, warp});
  if (!area.clicked) return;
  const unsigned first = warp * model::kWarpSize, last = first + lanesOf(view.replay.launch(), warp) - 1;
  view.commands.push_back(toggleMarks(view.predict, first, last));
}

void drawHovered(ViewContext& view, ImDrawList& list, const MapFrame& frame) {
  const auto hover = view.replay.hover();
  if (!hover) return;
  const int columns = frame.columns, at = int(hover->index);
  if (hover->kind == session::HoverKind::Thread && at / columns < frame.rows)
    draw::drawHoverRing(view.draw, list, frame.cellMin(at % columns, at / columns),
                        frame.cellMax(at % columns, at / columns));
  if (hover->kind == session::HoverKind::Warp && at < frame.rows)
    draw::drawHoverRing(view.draw, list, frame.cellMin(0, at), frame.cellMax(columns - 1, at));
}

// Under the grid, in one line: how many marks there are, and how they are made, as far as there is room.
void drawMarkLegend(ViewContext& view, ImDrawList& list, ImVec2 min, float right) {
  const draw::Palette& colours = view.colours();
  const draw::TextStyle words = view.words(colours.dim);
  const draw::TextStyle strong = view.semiBold(colours.text);
  const float top = std::round(min.y + view.px(kLineLegendHeight - kLegendBox) / 2);
  const float bottom = min.y + view.px(kLineLegendHeight);
  const ImVec2 boxMax{min.x + view.px(kLegendBox), top + view.px(kLegendBox)};
  draw::outlineInside(view.draw, list, {min.x, top}, boxMax, colours.text, 2);
  drawSquare(view, list, {min.x, top}, boxMax);
  const std::vector<bool>& marks = *threadMarks(view.predict);
  const auto marked = std::ranges::count(marks, true);
  const draw::DrawnText drawn =
      view.text(list, {boxMax.x + view.px(kLegendGap), min.y}, {right, bottom},
                narration::count(std::uint64_t(marked), "thread") + " marked.", strong);
  if (view.draw.isPicture) return;
  const float left = drawn.max.x + view.px(kLegendGap);
  for (const char* const hint : {"Drag over lanes to mark them, a click takes a mark away; or M.",
                                 "Drag or click lanes; or M.", "Drag, click or M."})
    if (left + draw::textSize(words, hint).x <= right) {
      view.text(list, {left, min.y}, {right, bottom}, hint, words);
      return;
    }
}

}  // namespace

void drawLanesToMark(ViewContext& view, const draw::Panel& panel, LanePainting& painting) {
  ImDrawList& list = panel.list();
  const draw::Palette& colours = view.colours();
  const ImVec2 min = panel.contentMin(), max = panel.contentMax();
  if (threadMarks(view.predict) == nullptr) {
    draw::drawHatch(view.draw, list, min, max, colours.hatch);
    drawHiddenWords(view, list, min, max);
    return;
  }
  const MapBytes bytes = markBytes(view);
  const std::array styles{draw::CellStyle{.fill = colours.raised, .mark = colours.frame, .outline = 1},
                          draw::CellStyle{.fill = colours.raised, .mark = colours.text, .outline = 2}};
  const LaneMap map =
      drawLaneMap(view, panel, "lanes to mark", bytes, styles, kMarkedRowHeight, view.replay.hoveredThread());
  const MapFrame& frame = map.frame;
  for (int row = 0; row < bytes.rows; ++row)
    for (int lane = 0; lane < bytes.columns; ++lane)
      if (bytes.at(lane, row) == kMarkedCell)
        drawSquare(view, list, frame.cellMin(lane, row), frame.cellMax(lane, row));
  takeWarpLabels(view, frame, min.x);
  takePointer(view, frame, painting);
  drawHovered(view, list, frame);
  if (map.hasLegend) drawMarkLegend(view, list, map.legendMin, max.x);
}

namespace {

// One mark: a tick on what was right, a cross in a frame on what was wrong, a dashed square on what was
// missed. The cell below shows whether the thread is active.
void drawJudged(ViewContext& view, ImDrawList& list, ImVec2 min, ImVec2 max, teaching::Mark mark) {
  const draw::Palette& colours = view.colours();
  const ImVec2 middle{(min.x + max.x) / 2, (min.y + max.y) / 2};
  const float room = std::min(max.x - min.x, max.y - min.y);
  const float radius = std::min(view.px(5), std::max(1.0f, room / 2 - view.px(1)));
  switch (mark) {
    case teaching::Mark::Right:
      return draw::drawTick(view.draw, list, middle, radius, colours.ink, 2);
    case teaching::Mark::Wrong:
      list.AddRectFilled(min, max, colours.panel);
      draw::outlineInside(view.draw, list, min, max, colours.problem, room < view.px(10) ? 1 : 2);
      return draw::drawCross(view.draw, list, middle, radius * 0.7f, colours.problem, 1.5f);
    case teaching::Mark::Missed:
      return draw::drawDashedRectangle(view.draw, list, {middle.x - radius, middle.y - radius},
                                       {middle.x + radius, middle.y + radius}, colours.ink, 1.5f, 2);
    case teaching::Mark::None:
      return;
  }
}

}  // namespace

void drawJudgedMarks(ViewContext& view, ImDrawList& list, const MapFrame& frame,
                     const teaching::Judgement& judgement) {
  for (std::size_t thread = 0; thread < judgement.marks.size(); ++thread) {
    const int lane = int(thread % model::kWarpSize), warp = int(thread / model::kWarpSize);
    if (warp >= frame.rows || judgement.marks[thread] == teaching::Mark::None) continue;
    ImVec2 max = frame.cellMax(lane, warp);
    max.x -= 1, max.y -= 1;  // the gap between cells
    drawJudged(view, list, frame.cellMin(lane, warp), max, judgement.marks[thread]);
  }
}

void drawJudgedLegend(ViewContext& view, ImDrawList& list, ImVec2 min, float right,
                      const teaching::Judgement& judgement) {
  using teaching::Mark;
  std::vector<LineLegendItem> items;
  const auto add = [&](Mark mark, const char* words, const char* brief) {
    items.push_back({.count = unsigned(judgement.count(mark)),
                     .words = words,
                     .brief = brief,
                     .stays = true,
                     .drawBox = [&view, &list, mark](ImVec2 boxMin, ImVec2 boxMax) {
                       if (mark != Mark::Wrong) list.AddRectFilled(boxMin, boxMax, view.colours().result);
                       drawJudged(view, list, boxMin, boxMax, mark);
                     }});
  };
  add(Mark::Right, "marked, and active", "right");
  add(Mark::Wrong, "marked, but not active", "wrong");
  add(Mark::Missed, "active, but not marked", "missed");
  drawLineLegend(view, list, min, right, items);
}

}  // namespace stridescope::views
