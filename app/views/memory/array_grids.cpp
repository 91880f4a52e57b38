#include "views/memory/array_grids.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "analysis/event_groups.h"
#include "analysis/lanes.h"
#include "analysis/snapshots.h"
#include "base/numbers.h"
#include "base/read_floating.h"
#include "draw/grid_picture.h"
#include "draw/marks.h"
#include "draw/panel.h"
#include "model/array_names.h"
#include "views/memory/shared_memory_scene.h"
#include "views/shared/cell_walk.h"
#include "views/shared/map_bytes.h"
#include "views/shared/shown_round.h"

namespace stridescope::views {
namespace {

constexpr std::uint64_t kMaxCellsWithValues = 4096;
constexpr std::uint64_t kMaxWalkedCells = 16384;
constexpr float kMinMarkedCell = 4;  // units

enum Touch : std::uint8_t { kRead = 1, kStored = 2 };

const std::vector<model::Array>& arraysOf(const session::Replay& replay) {
  return replay.launch().recorded().shared;
}

// By byte of all shared arrays, one after another: what the round, or the pass, did there.
std::vector<std::uint8_t> touchesOf(const narration::RoundAt& at) {
  const analysis::SharedLayout layout(at.launch);
  std::vector<std::uint8_t> touches(layout.bytes(), 0);
  for (const analysis::WarpOperation& operation : at.round().operations) {
    const bool loads = operation.kind == model::EventKind::Load || operation.kind == model::EventKind::Atomic;
    const bool stores =
        operation.kind == model::EventKind::Store || operation.kind == model::EventKind::Atomic;
    if (!loads && !stores) continue;
    analysis::forEachLane(operation.mask, [&](unsigned lane) {
      const model::Event& event = at.launch.recorded().events[operation.event[lane]];
      if (!event.inShared() || !layout.holds(event)) return;
      const std::size_t begin = layout.beginOf(event.sharedArray()) + std::size_t(event.offset());
      for (std::size_t byte = begin; byte < begin + event.width(); ++byte)
        touches[byte] |= std::uint8_t((loads ? kRead : 0) | (stores ? kStored : 0));
    });
  }
  return touches;
}

// A number with a point, or with an exponent, to four digits: "4.333" of "4.3333335". Others stay as they
// are.
std::string roundedNumber(const std::string& text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const bool isWhole = text.find_first_of(".e") == std::string::npos;
  if (isWhole || readFloating(text.data(), end, value).ptr != end) return text;
  constexpr int kDigits = 4;
  char rounded[32];
  return {rounded,
          std::to_chars(rounded, rounded + sizeof(rounded), value, std::chars_format::general, kDigits).ptr};
}

struct Counts {
  std::uint64_t read = 0, stored = 0;
};

// What a frame draws from.
struct Scene {
  const std::vector<model::Array>& arrays;
  const narration::RoundAt at;
  const analysis::SharedLayout layout{at.launch};
  const std::vector<std::uint8_t> touches = touchesOf(at);
  std::vector<std::vector<model::MemberType>> cells = {};  // by array

  explicit Scene(const session::Replay& replay) : arrays(arraysOf(replay)), at(roundAt(replay)) {
    for (const model::Array& array : arrays) cells.push_back(model::cellsOf(array));
  }

  // Where a cell's bytes begin in the layout.
  std::size_t beginOf(std::uint32_t array, std::uint64_t element, const model::MemberType& cell) const {
    return layout.beginOf(array) + std::size_t(element * std::max(1u, arrays[array].elementBytes)) +
           cell.offset;
  }
  template <class Flags>
  auto within(const Flags& flags, std::size_t begin, unsigned bytes) const {
    std::uint8_t all = 0;
    for (std::size_t byte = begin; byte < std::min(begin + bytes, flags.size()); ++byte)
      all |= std::uint8_t(flags[byte]);
    return all;
  }
  // Empty: nothing was stored there.
  std::string valueOf(std::uint32_t array, std::uint64_t element, const model::MemberType& cell,
                      CellValues values) const {
    const auto bits = at.round().snapshot.word(beginOf(array, element, cell), cell.bytes);
    if (!bits) return {};
    std::string text = model::printNumber(cell, *bits);
    return values == CellValues::Rounded ? roundedNumber(text) : text;
  }
};

// What the widest value of all takes; 0: there are too many for any to be drawn.
float valueWidth(const ViewContext& view, const Scene& scene, CellValues values) {
  std::uint64_t count = 0;
  for (std::size_t a = 0; a < scene.arrays.size(); ++a)
    count += scene.arrays[a].bytes / std::max(1u, scene.arrays[a].elementBytes) * scene.cells[a].size();
  if (count == 0 || count > kMaxCellsWithValues) return 0;
  std::size_t widest = 1;
  for (std::uint32_t a = 0; a < scene.arrays.size(); ++a)
    for (std::uint64_t e = 0; e < scene.arrays[a].bytes / std::max(1u, scene.arrays[a].elementBytes); ++e)
      for (const model::MemberType& cell : scene.cells[a])
        widest = std::max(widest, scene.valueOf(a, e, cell, values).size());
  return draw::textSize(view.codeBold(0), "0").x * float(widest) + view.px(6);
}

class GridPainter {
 public:
  GridPainter(ViewContext& view, ImDrawList& list, const Scene& scene, const ArrayGrids& grids, ImVec2 origin,
              const std::vector<bool>& accessed)
      : view_(view), list_(list), scene_(scene), grids_(grids), origin_(origin), accessed_(accessed) {}

  void draw(const ArrayPlane& plane) {
    drawLabels(plane);
    const model::Array& array = scene_.arrays[plane.array];
    const auto& flow = scene_.at.work().liveAfter;
    const std::vector<bool>* const live = plane.array < flow.size() ? &flow[plane.array] : nullptr;
    std::vector<std::uint64_t> lit;
    for (std::uint64_t i = 0; i < plane.elements; ++i) {
      const std::uint64_t element = plane.elementAt(i);
      const bool isLive = live != nullptr && element < live->size() && (*live)[element];
      for (std::uint64_t c = 0; c < plane.cells; ++c)
        drawCell(plane, element, plane.numberAt(i, c), boxOf(plane, i, c), isLive);
      if (view_.linked.element(plane.array, element)) lit.push_back(i);
    }
    endRun();
    for (const std::uint64_t i : lit) ring(boxOf(plane, i, 0), boxOf(plane, i, plane.cells - 1), false);
    markRace(plane, array);
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
  void markRace(const ArrayPlane& plane, const model::Array& array) {
    const analysis::Race* const race = view_.trouble.race;
    if (race == nullptr || !race->shared || race->array != plane.array) return;
    const std::vector<model::MemberType>& cells = scene_.cells[plane.array];
    const std::uint64_t within = race->offset % std::max(1u, array.elementBytes);
    std::uint64_t number = 0;
    for (std::uint64_t c = 0; c < cells.size(); ++c)
      if (cells[c].offset <= within) number = c;
    for (std::uint64_t i = 0; i < plane.elements; ++i)
      for (std::uint64_t c = 0; c < plane.cells; ++c)
        if (plane.elementAt(i) == race->element && plane.numberAt(i, c) == number)
          ring(boxOf(plane, i, c), boxOf(plane, i, c), true);
  }

  const draw::Palette& colours() const { return view_.colours(); }

  void ring(const CellBox& first, const CellBox& last, bool isProblem) {
    if (isProblem)
      draw::drawProblemRing(view_.draw, list_, first.min, last.max);
    else
      draw::drawLinkedRing(view_.draw, list_, first.min, last.max);
  }

  void drawLabels(const ArrayPlane& plane) {
    const draw::TextStyle dim = view_.code(colours().dim);
    const float line = view_.px(draw::kLabelLineHeight);
    const ImVec2 title{std::round(origin_.x + plane.left), std::round(origin_.y + plane.top)};
    view_.text(list_, title, {std::max(title.x + view_.px(60), title.x + widthOf(plane)), title.y + line},
               plane.title, view_.code(colours().text));
    const float axis = std::round(origin_.y + plane.gridTop) - view_.px(kArrayAxisHeight);
    const float wide = grids_.cellWidth * float(plane.cells);
    const float label = draw::textSize(dim, std::to_string(plane.columns)).x + view_.px(4);
    std::uint64_t step = 1;
    while (wide * float(step) < label) step *= 2;
    for (std::uint64_t column = 0; column < plane.columns; column += step) {
      const CellBox box = boxOf(plane, column, 0);
      const float right = step == 1 ? box.min.x + wide : box.min.x + wide * float(step);
      view_.text(list_, {box.min.x, axis}, {right, axis + line}, std::to_string(column), dim,
                 step == 1 ? draw::TextAlign::Centre : draw::TextAlign::Left);
    }
    std::uint64_t rows = 1;
    while (grids_.cellHeight * float(rows) < line) rows *= 2;
    for (std::uint64_t row = 0; row < plane.rows; row += rows) {
      const CellBox box = boxOf(plane, row * plane.columns, 0);
      const float middle = box.min.y + grids_.cellHeight * 0.5f;
      view_.text(list_, {title.x, middle - line / 2}, {box.min.x - view_.px(4), middle + line / 2},
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
    if (box.min.y > list_.GetClipRectMax().y) return;
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
  const Scene& scene_;
  const ArrayGrids& grids_;
  ImVec2 origin_;
  const std::vector<bool>& accessed_;
  Counts counts_;
  CellBox run_{};
  ImU32 runFill_ = 0;  // 0: no run goes on
  bool hasUntouched_ = false, hasUnknown_ = false, hasBoth_ = false;
};

// Pointing at a cell finds its element.
void pointAtArrays(ViewContext& view, const ArrayGrids& grids, const GridPainter& painter, ImVec2 min,
                   ImVec2 max) {
  const auto hover = view.replay.hover();
  const HitArea area = walkArea(view, "arrays", min, max, [&](const AddCell& add) {
    std::uint64_t count = 0;
    for (const ArrayPlane& plane : grids.planes) count += plane.elements;
    if (count > kMaxWalkedCells) return;
    for (const ArrayPlane& plane : grids.planes)
      for (std::uint64_t i = 0; i < plane.elements; ++i)
        add({painter.boxOf(plane, i, 0).min, painter.boxOf(plane, i, plane.cells - 1).max},
            hover == session::Hover{session::HoverKind::Element, plane.elementAt(i), 0, plane.array});
  });
  if (!area.hovered) return;
  if (const auto cell = arrayCellAt(grids, area.pointer.x, area.pointer.y))
    pointAt(view, area,
            session::Hover{session::HoverKind::Element, cell->element, 0, grids.planes[cell->plane].array});
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
  const std::vector<model::Array>& arrays = arraysOf(replay);
  const auto isShaped = [](const model::Array& array) {
    return !array.extents.empty() || array.members.size() > 1;
  };
  const auto isList = [](const model::Array& array) { return array.bytes > array.elementBytes; };
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
                                        const std::vector<bool>& accessed) {
  const Scene scene(view.replay);
  const bool hasLegend = !view.app.isPresenting() &&
                         draw::showsLegend(view.draw, max.y - min.y > view.px(6 * kMemoryLegendHeight));
  const float bottom = hasLegend ? max.y - view.px(kMemoryLegendHeight) : max.y;
  const ArrayGridInput input{
      .width = max.x - min.x,
      .height = bottom - min.y,
      .unit = view.px(1),
      .valueWidth = valueWidth(view, scene, CellValues::Exact),
      .roundedWidth = valueWidth(view, scene, CellValues::Rounded),
      .textWidth = [&](const std::string& text) { return draw::textSize(view.code(0), text).x; }};
  const ArrayGrids grids = layOutArrays(scene.arrays, input);
  GridPainter painter(view, list, scene, grids, min, accessed);
  list.PushClipRect(min, {max.x, bottom}, true);
  pointAtArrays(view, grids, painter, min, {max.x, bottom});
  for (const ArrayPlane& plane : grids.planes) painter.draw(plane);
  list.PopClipRect();
  if (hasLegend) drawMemoryLegend(view, list, legendOf(view, painter, grids.values), {min.x, bottom}, max.x);
  const Counts counts = painter.counts();
  std::string figures = counts.read == 0 && counts.stored == 0
                            ? "nothing read or stored in this round"
                            : figure(counts.read) + " read, " + figure(counts.stored) + " stored";
  if (!grids.everythingFits) figures += ", some below the panel";
  return {figures};
}

}  // namespace stridescope::views
