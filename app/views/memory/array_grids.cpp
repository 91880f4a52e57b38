#include "views/memory/array_grids.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "analysis/snapshots.h"
#include "base/numbers.h"
#include "draw/grid_picture.h"
#include "draw/marks.h"
#include "draw/panel.h"
#include "views/memory/array_grid_scene.h"
#include "views/memory/shared_memory_scene.h"
#include "views/shared/cell_walk.h"
#include "views/shared/map_bytes.h"
#include "views/shared/shown_round.h"

namespace stridescope::views {
namespace {

constexpr std::uint64_t kMaxWalkedCells = 16384;
constexpr float kMinMarkedCell = 4;  // units
constexpr float kLargestCell = 160;  // units: a person zooms no nearer
// The width of the map: what a person has zoomed to are shares of it, which outlive another size of the
// panel.
constexpr std::size_t kShares = 1 << 20;

struct Counts {
  std::uint64_t read = 0, stored = 0;
};

class GridPainter {
 public:
  GridPainter(ViewContext& view, ImDrawList& list, const ArrayScene& scene, const ArrayGrids& grids,
              ImVec2 origin, const std::vector<bool>& accessed)
      : view_(view), list_(list), scene_(scene), grids_(grids), origin_(origin), accessed_(accessed) {}

  void draw(const ArrayPlane& plane) {
    const std::uint32_t array = scene_.parts[plane.array].array;
    const auto& flow = scene_.at.work().liveAfter;
    const std::vector<bool>* const live = array < flow.size() ? &flow[array] : nullptr;
    std::vector<std::uint64_t> lit;
    for (std::uint64_t i = 0; i < plane.elements; ++i) {
      const std::uint64_t element = plane.elementAt(i);
      const std::uint64_t first = scene_.sharedElementOf(plane.array, element),
                          end = scene_.sharedElementOf(plane.array, element + 1);
      bool isLive = false, isLinked = false;
      for (std::uint64_t e = first; e < end; ++e) {
        isLive = isLive || (live != nullptr && e < live->size() && (*live)[e]);
        isLinked = isLinked || view_.linked.element(array, e);
      }
      for (std::uint64_t c = 0; c < plane.cells; ++c)
        drawCell(plane, element, plane.numberAt(i, c), boxOf(plane, i, c), isLive);
      if (isLinked) lit.push_back(i);
    }
    endRun();
    drawLabels(plane);
    for (const std::uint64_t i : lit) ring(boxOf(plane, i, 0), boxOf(plane, i, plane.cells - 1), false);
    markRace(plane);
  }

  CellBox boxOf(const ArrayPlane& plane, std::uint64_t within, std::uint64_t cell) const {
    const std::uint64_t column = within % plane.columns * plane.cells + cell, row = within / plane.columns;
    const ImVec2 min{std::round(origin_.x + plane.gridLeft) + float(column) * grids_.cellWidth,
                     std::round(origin_.y + plane.gridTop) + float(row) * grids_.cellHeight};
    return {min, {min.x + grids_.cellWidth, min.y + grids_.cellHeight}};
  }

  bool hasUntouched() const { return hasUntouched_; }
  bool hasUnknown() const { return hasUnknown_; }
  bool hasBoth() const { return hasBoth_; }
  Counts counts() const { return counts_; }

 private:
  void markRace(const ArrayPlane& plane) {
    const analysis::Race* const race = view_.trouble.race;
    const ArrayPart& part = scene_.parts[plane.array];
    const model::Array& array = scene_.arrays[plane.array];
    if (race == nullptr || !race->shared || race->array != part.array) return;
    if (race->offset < part.begin || race->offset - part.begin >= array.bytes) return;
    const std::vector<model::MemberType>& cells = scene_.cells[plane.array];
    const std::uint64_t bytes = std::max(1u, array.elementBytes), offset = race->offset - part.begin;
    const std::uint64_t within = offset % bytes;
    std::uint64_t number = 0;
    for (std::uint64_t c = 0; c < cells.size(); ++c)
      if (cells[c].offset <= within) number = c;
    for (std::uint64_t i = 0; i < plane.elements; ++i)
      for (std::uint64_t c = 0; c < plane.cells; ++c)
        if (plane.elementAt(i) == offset / bytes && plane.numberAt(i, c) == number)
          ring(boxOf(plane, i, c), boxOf(plane, i, c), true);
  }

  const draw::Palette& colours() const { return view_.colours(); }

  void ring(const CellBox& first, const CellBox& last, bool isProblem) {
    if (isProblem)
      draw::drawProblemRing(view_.draw, list_, first.min, last.max);
    else
      draw::drawLinkedRing(view_.draw, list_, first.min, last.max);
  }

  // Over what is in view of the grid, where its beginning is not.
  void drawLabels(const ArrayPlane& plane) {
    const draw::TextStyle dim = view_.code(colours().dim);
    const float line = view_.px(draw::kLabelLineHeight);
    const ImVec2 clip = list_.GetClipRectMin(), clipEnd = list_.GetClipRectMax();
    const CellBox all{
        boxOf(plane, 0, 0).min,
        boxOf(plane, (plane.rows - 1) * plane.columns + plane.columns - 1, plane.cells - 1).max};
    const float head = plane.gridTop - plane.top, gutter = plane.gridLeft - plane.left;
    const bool isAbove = all.min.y - head < clip.y, isBefore = all.min.x - gutter < clip.x;
    const ImVec2 corner{isBefore ? std::min(clip.x + gutter, all.max.x) : all.min.x,
                        isAbove ? std::min(clip.y + head, all.max.y) : all.min.y};
    const auto cover = [&](ImVec2 min, ImVec2 max) { list_.AddRectFilled(min, max, colours().panel); };
    if (isBefore) cover({corner.x - gutter, corner.y}, {corner.x, all.max.y});
    if (isAbove) cover({corner.x - gutter, corner.y - head}, {std::max(all.max.x, corner.x), corner.y});
    const ImVec2 title{std::round(corner.x - gutter), std::round(corner.y - head)};
    view_.text(list_, title, {std::max(title.x + view_.px(60), title.x + widthOf(plane)), title.y + line},
               plane.title, view_.code(colours().text));
    const float axis = std::round(corner.y) - view_.px(kArrayAxisHeight);
    const float wide = grids_.cellWidth * float(plane.cells);
    const float label = draw::textSize(dim, std::to_string(plane.columns * plane.step)).x + view_.px(4);
    std::uint64_t step = 1;
    while (wide * float(step) < label) step *= 2;
    for (std::uint64_t column = 0; column < plane.columns; column += step) {
      const CellBox box = boxOf(plane, column, 0);
      if (box.min.x < corner.x - wide / 2 || box.min.x > clipEnd.x) continue;
      const float right = step == 1 ? box.min.x + wide : box.min.x + wide * float(step);
      view_.text(list_, {box.min.x, axis}, {right, axis + line}, std::to_string(column * plane.step), dim,
                 step == 1 ? draw::TextAlign::Centre : draw::TextAlign::Left);
    }
    std::uint64_t rows = 1;
    while (grids_.cellHeight * float(rows) < line) rows *= 2;
    for (std::uint64_t row = 0; row < plane.rows; row += rows) {
      const CellBox box = boxOf(plane, row * plane.columns, 0);
      const float middle = box.min.y + grids_.cellHeight * 0.5f;
      if (middle < corner.y || middle > clipEnd.y) continue;
      view_.text(list_, {title.x, middle - line / 2}, {corner.x - view_.px(4), middle + line / 2},
                 rowLabel(scene_.arrays[plane.array], plane, row), dim, draw::TextAlign::Right);
    }
  }

  float widthOf(const ArrayPlane& plane) const {
    return std::max(plane.gridLeft - plane.left + grids_.cellWidth * float(plane.cellsAcross()),
                    draw::textSize(view_.code(0), plane.title).x);
  }

  struct Look {
    ImU32 fill = 0;
    bool isStruck = false, isOutline = false, isBoth = false, isTouched = false;
  };

  Look lookOf(std::size_t begin, unsigned bytes, bool isLive) {
    const std::uint8_t touch = scene_.within(scene_.touches, begin, bytes);
    counts_.read += touch & kRead ? 1 : 0;
    counts_.stored += touch & kStored ? 1 : 0;
    Look look{.isTouched = touch != 0};
    look.isStruck = scene_.within(accessed_, begin, bytes) == 0;
    look.isOutline = !look.isStruck && touch == 0 && !scene_.at.round().snapshot.word(begin, bytes);
    look.isBoth = touch == (kRead | kStored);
    look.fill = look.isStruck     ? colours().line
                : look.isOutline  ? colours().panel
                : touch & kStored ? colours().result
                : touch & kRead   ? colours().operand
                : isLive          ? colours().live
                                  : colours().dead;
    hasUntouched_ = hasUntouched_ || look.isStruck;
    hasUnknown_ = hasUnknown_ || look.isOutline;
    hasBoth_ = hasBoth_ || look.isBoth;
    return look;
  }

  // Cells too small for gaps and marks are drawn as one, where they look alike.
  bool isSmall() const { return std::min(grids_.cellWidth, grids_.cellHeight) < view_.px(kMinMarkedCell); }
  void extendRun(const CellBox& box, ImU32 fill) {
    const bool goesOn = fill == runFill_ && box.min.x == run_.max.x && box.min.y == run_.min.y;
    if (!goesOn) {
      endRun();
      run_ = box, runFill_ = fill;
    }
    run_.max = box.max;
  }
  void endRun() {
    if (runFill_ != 0) list_.AddRectFilled(run_.min, run_.max, runFill_);
    runFill_ = 0;
  }

  void drawCell(const ArrayPlane& plane, std::uint64_t element, std::uint64_t number, CellBox box,
                bool isLive) {
    const model::MemberType& cell = scene_.cells[plane.array][number];
    const Look look = lookOf(scene_.beginOf(plane.array, element, cell), cell.bytes, isLive);
    const ImVec2 clipMin = list_.GetClipRectMin(), clipMax = list_.GetClipRectMax();
    if (box.min.y > clipMax.y || box.max.y < clipMin.y || box.min.x > clipMax.x || box.max.x < clipMin.x)
      return;
    if (isSmall()) return extendRun(box, look.fill);
    const float gap = float(draw::cellGap(std::min(grids_.cellWidth, grids_.cellHeight), 1));
    const bool endsStruct = !plane.isOfMembers && plane.cells > 1 && number + 1 == plane.cells;
    box.max.x -= endsStruct ? 3 * gap : gap, box.max.y -= gap;
    if (look.isStruck) return draw::drawStruckCell(view_.draw, list_, box.min, box.max, colours().line);
    if (look.isOutline) return draw::outlineInside(view_.draw, list_, box.min, box.max, colours().toCome, 1);
    list_.AddRectFilled(box.min, box.max, look.fill);
    if (look.isBoth) {
      const float side = std::min(box.max.y - box.min.y, box.max.x - box.min.x);
      list_.AddTriangleFilled(box.min, {box.min.x + side, box.min.y}, {box.min.x, box.min.y + side},
                              colours().operand);
    }
    if (grids_.values == CellValues::None) return;
    const draw::TextStyle style =
        look.isTouched ? view_.codeBold(colours().ink) : view_.code(isLive ? colours().text : colours().dim);
    view_.text(list_, box.min, box.max, scene_.valueOf(plane.array, element, cell, grids_.values), style,
               draw::TextAlign::Centre);
  }

  ViewContext& view_;
  ImDrawList& list_;
  const ArrayScene& scene_;
  const ArrayGrids& grids_;
  ImVec2 origin_;
  const std::vector<bool>& accessed_;
  Counts counts_;
  CellBox run_{};
  ImU32 runFill_ = 0;  // 0: no run goes on
  bool hasUntouched_ = false, hasUnknown_ = false, hasBoth_ = false;
};

// Pointing at a cell finds its element.
HitArea pointAtArrays(ViewContext& view, const ArrayScene& scene, const ArrayGrids& grids,
                      const GridPainter& painter, ImVec2 min, ImVec2 max) {
  const auto hover = view.replay.hover();
  const auto hoverOf = [&](std::uint32_t part, std::uint64_t element) {
    return session::Hover{session::HoverKind::Element, scene.sharedElementOf(part, element), 0,
                          scene.parts[part].array};
  };
  const HitArea area = walkArea(view, "arrays", min, max, [&](const AddCell& add) {
    std::uint64_t count = 0;
    for (const ArrayPlane& plane : grids.planes) count += plane.elements;
    if (count > kMaxWalkedCells) return;
    for (const ArrayPlane& plane : grids.planes)
      for (std::uint64_t i = 0; i < plane.elements; ++i) {
        const CellBox box{painter.boxOf(plane, i, 0).min, painter.boxOf(plane, i, plane.cells - 1).max};
        if (box.max.x <= min.x || box.max.y <= min.y || box.min.x >= max.x || box.min.y >= max.y) continue;
        add(box, hover == hoverOf(plane.array, plane.elementAt(i)));
      }
  });
  if (!area.hovered) return area;
  if (const auto cell = arrayCellAt(grids, area.pointer.x, area.pointer.y))
    pointAt(view, area, hoverOf(grids.planes[cell->plane].array, cell->element));
  return area;
}

// The part of the grids that a person has zoomed and panned to.
struct ShownPart {
  ColumnsShown columns;  // kShares of them; rows are as high
  RowsShown rows;
  ArrayZoom zoom;
};

ShownPart partOf(const ArrayGrids& grids, ImVec2 size, float unit, const ZoomAndPan& moved) {
  const float width = std::max(1.0f, size.x),
              share = width / float(kShares);  // pixels, where everything fits
  const double least = double(kShares) * double(grids.cellWidth / (kLargestCell * unit));
  ShownPart part;
  ColumnsShown& columns = part.columns;
  columns.all = kShares;
  columns.least = std::size_t(std::clamp(least, 1.0, double(kShares)));
  columns.inView = std::clamp<std::size_t>(moved.inView.value_or(kShares), 1, kShares);
  // Beyond the last of the grids there is nothing to be seen.
  const auto behind = std::size_t(std::clamp(double(widthOf(grids) / share), 0.0, double(kShares)));
  columns.first = std::min(moved.first.value_or(0), behind - std::min(behind, columns.inView));
  columns.width = width / float(columns.inView);
  part.rows = {.all = double(heightOf(grids) / share), .inView = double(size.y / columns.width)};
  part.rows.first =
      std::clamp(moved.firstRow.value_or(0), 0.0, std::max(0.0, part.rows.all - part.rows.inView));
  part.zoom = {.times = float(kShares) / float(columns.inView),
               .left = float(columns.first) * share,
               .top = float(part.rows.first) * share};
  return part;
}

// Which values fit in all cells that are in view.
CellValues valuesIn(const ViewContext& view, const ArrayScene& scene, const ArrayGrids& grids, ImVec2 size) {
  if (grids.cellHeight < view.px(kValueCellHeight)) return CellValues::None;
  for (const CellValues values : {CellValues::Exact, CellValues::Rounded}) {
    const float width = valueWidthInView(view, scene, grids, size, values);
    if (width > 0 && width <= grids.cellWidth) return values;
  }
  return CellValues::None;
}

std::vector<LegendItem> legendOf(const ViewContext& view, const GridPainter& painter, CellValues values) {
  using Mark = LegendItem::Mark;
  const draw::Palette& colours = view.colours();
  std::vector<LegendItem> items;
  if (painter.counts().read > 0) items.push_back({"read", Mark::Fill, colours.operand, 0});
  if (painter.counts().stored > 0) items.push_back({"stored", Mark::Fill, colours.result, 0});
  if (painter.hasBoth()) items.push_back({"with a corner: read, too", Mark::None, colours.text, 0});
  items.push_back({"still needed", Mark::Fill, colours.live, 0});
  items.push_back({"no longer needed", Mark::Fill, colours.dead, 0});
  if (painter.hasUnknown()) items.push_back({"nothing stored yet", Mark::Outline, colours.toCome, 0});
  if (painter.hasUntouched()) items.push_back({"never accessed", Mark::Struck, colours.line, 0});
  if (values == CellValues::Rounded) items.push_back({"four digits", Mark::None, colours.text, 0});
  return items;
}

}  // namespace

bool hasArrayGrids(const session::Replay& replay) {
  if (!replay.run() || !model::leavesArrays(replay.run()->trace)) return false;
  const std::vector<model::Array>& arrays = replay.launch().recorded().shared;
  const auto isShaped = [](const model::Array& array) {
    return !array.extents.empty() || array.members.size() > 1;
  };
  const auto isList = [](const model::Array& array) { return array.bytes > array.elementBytes; };
  for (std::size_t array = 0; array < arrays.size(); ++array)
    if (narration::isCarved(replay.run()->trace, replay.launch(), array)) return true;
  return std::ranges::any_of(arrays, isShaped) || std::ranges::count_if(arrays, isList) > 1;
}

std::vector<bool> accessedBytes(const session::Replay& replay) {
  const model::LaunchTrace& launch = replay.launch();
  const analysis::SharedLayout layout(launch);
  std::vector<bool> accessed(layout.bytes(), false);
  for (const model::Event& event : launch.recorded().events) {
    const bool isAccess = event.kind() == model::EventKind::Load || event.kind() == model::EventKind::Store ||
                          event.kind() == model::EventKind::Atomic;
    if (!isAccess || !event.inShared() || event.secondHalf() || !layout.holds(event)) continue;
    const std::size_t begin = layout.beginOf(event.sharedArray()) + std::size_t(event.offset());
    for (std::size_t byte = begin; byte < begin + event.width(); ++byte) accessed[byte] = true;
  }
  return accessed;
}

std::vector<std::string> drawArrayGrids(ViewContext& view, ImDrawList& list, ImVec2 min, ImVec2 max,
                                        const std::vector<bool>& accessed, const CarvedArrays& carved,
                                        ZoomAndPan& moved) {
  const ArrayScene scene(view.replay, carved);
  const bool hasLegend = !view.app.isPresenting() &&
                         draw::showsLegend(view.draw, max.y - min.y > view.px(6 * kMemoryLegendHeight));
  const float bottom = hasLegend ? max.y - view.px(kMemoryLegendHeight) : max.y;
  const ImVec2 size{max.x - min.x, bottom - min.y};
  const ArrayGridInput input{
      .width = size.x,
      .height = size.y,
      .unit = view.px(1),
      .valueWidth = valueWidth(view, scene, CellValues::Exact),
      .roundedWidth = valueWidth(view, scene, CellValues::Rounded),
      .textWidth = [&](const std::string& text) { return draw::textSize(view.code(0), text).x; },
      .places = scene.places};
  const ArrayGrids fitting = layOutArrays(scene.arrays, input);
  ShownPart part = partOf(fitting, size, view.px(1), moved);
  ArrayGrids grids = zoomed(fitting, part.zoom);
  if (part.zoom.times > 1) grids.values = valuesIn(view, scene, grids, size);
  GridPainter painter(view, list, scene, grids, min, accessed);
  list.PushClipRect(min, {max.x, bottom}, true);
  const HitArea area = pointAtArrays(view, scene, grids, painter, min, {max.x, bottom});
  part.columns.pointer = double(part.columns.first) + double(area.pointer.x / part.columns.width);
  part.rows.pointer = part.rows.first + double(area.pointer.y / part.columns.width);
  zoomAndPan(view, area, part.columns, moved, part.rows);
  for (const ArrayPlane& plane : grids.planes) painter.draw(plane);
  list.PopClipRect();
  if (hasLegend) drawMemoryLegend(view, list, legendOf(view, painter, grids.values), {min.x, bottom}, max.x);
  const Counts counts = painter.counts();
  std::string figures = counts.read == 0 && counts.stored == 0
                            ? "nothing read or stored in this round"
                            : figure(counts.read) + " read, " + figure(counts.stored) + " stored";
  const bool isPart = part.zoom.times > 1 || part.rows.inView < part.rows.all;
  if (part.zoom.times > 1)
    figures += ", a part in view";
  else if (!grids.everythingFits)
    figures += ", some below the panel";
  if (isPart || grids.values == CellValues::None) return {figures + kGestures, figures};
  return {figures};
}

}  // namespace stridescope::views
