#include "views/shared_memory_view.h"

#include <algorithm>
#include <cmath>

#include "draw/marks.h"
#include "draw/panel.h"
#include "views/register_view.h"
#include "views/shared_memory_legend.h"
#include "views/shared_memory_scene.h"

namespace stridescope {
namespace {

constexpr float kLabelWidth = 52, kAxisHeight = 18, kOverviewHeight = 10, kGap = 8;
constexpr float kLeastLines = 24, kLinesToSpare = 14;
constexpr float kMostRowGrowth = 2, kMostBandGrowth = 2.5f;

// Wheel zooms about the pointer by powers of two, dragging pans, F fits.
void zoomAndPan(const HitArea& area, const Band& band, float width, SharedMemoryState& state) {
  if (!area.hovered) return;
  const ImGuiIO& io = ImGui::GetIO();
  const std::size_t inView = band.columns.size();
  if (io.MouseWheel != 0 && inView > 0) {
    std::size_t next = io.MouseWheel > 0 ? std::max<std::size_t>(1, inView / 2) : inView * 2;
    next = std::min(next, band.allColumns);
    const double pointer = double(band.firstColumn) + double(area.pointer.x / width) * double(inView);
    const double first = pointer - double(area.pointer.x / width) * double(next);
    state.columnsInView = next;
    state.firstColumn = std::size_t(std::clamp(std::round(first), 0.0, double(band.allColumns - next)));
  }
  if (ImGui::IsMouseDragging(ImGuiMouseButton_Left) && inView < band.allColumns) {
    const double moved = double(io.MouseDelta.x / width) * double(inView);
    const double first = std::clamp(double(band.firstColumn) - moved, 0.0, double(band.allColumns - inView));
    state.columnsInView = inView;
    state.firstColumn = std::size_t(std::round(first));
  }
  if (ImGui::IsKeyPressed(ImGuiKey_F, false)) state.columnsInView = state.firstColumn = std::nullopt;
}

// The element's column comes into the middle.
void panTo(std::uint64_t element, const MemoryScene& scene, SharedMemoryState& state) {
  const std::size_t inView = scene.band.columns.size();
  const double perColumn = double(scene.ofBand.last - scene.ofBand.first) / double(inView);
  const double column =
      double(scene.band.firstColumn) + (double(element) - double(scene.ofBand.first)) / perColumn;
  state.columnsInView = inView;
  state.firstColumn = std::size_t(
      std::clamp(std::round(column - double(inView) / 2), 0.0, double(scene.band.allColumns - inView)));
}

// How many earlier and later rounds get a row. Earlier ones give way first.
struct RowCounts {
  unsigned past = 0, toCome = 0;
};

RowCounts fitRows(float room, float rowHeight, unsigned past, unsigned toCome) {
  constexpr unsigned kMostPast = 6;
  RowCounts counts{std::min(past, kMostPast), toCome};
  const auto most = unsigned(std::max(0.0f, room / rowHeight));
  while (counts.past + counts.toCome > most && counts.past > 1) --counts.past;
  while (counts.past + counts.toCome > most && counts.toCome > 0) --counts.toCome;
  if (counts.past > most) counts.past = most;
  return counts;
}

// What the panel's height is spent on.
struct MemoryPlan {
  RowCounts rows;
  float rowHeight = kMemoryRowHeight;  // units
  BandHeights heights;
  bool overview = false, wedge = false, legend = false;
};

// How many later rounds still have something to show.
unsigned roundsToCome(const MemoryScene& scene, unsigned current) {
  unsigned count = 0;
  while (current + 1 + count < scene.rows.size() && !scene.rows[current + 1 + count].live.empty()) ++count;
  return count;
}

// Rows get what the fixed parts leave; earlier rounds bring an axis, and a wedge where the band shows a part
// of the last of them. In a low panel the lines give
// the legend some of their height, then the legend goes, then more of the lines. What is still
// left over makes the band higher.
MemoryPlan planOf(const ViewContext& view, const MemoryScene& scene, float height) {
  MemoryPlan plan;
  const Band& band = scene.band;
  const unsigned current = view.session.playhead().round;
  const unsigned past = std::min<unsigned>(current, unsigned(scene.rows.size()));
  plan.heights.operandRows = band.shape == BandShape::Columns && band.hasB ? 2 : 1;
  const float rowHeight = view.px(kMemoryRowHeight + kMemoryRowGap);
  const auto place = [&](bool withPast) {
    plan.wedge = withPast && hasWedge(scene);
    plan.overview = hasOverview(scene, withPast);
    const float fixed = (withPast ? view.px(kAxisHeight) : 0) +
                        (plan.overview ? view.px(kOverviewHeight + kGap) : 0) +
                        view.px(plan.wedge ? kWedgeHeight : 4) + view.px(kGap);
    plan.heights.lines = BandHeights().lines;
    float free = height - fixed - view.px(plan.heights.total());
    if (const float lacking = view.px(kMemoryLegendHeight) - free;
        lacking > 0 && lacking <= view.px(kLinesToSpare)) {
      plan.heights.lines -= lacking / view.draw.scale;
      free += lacking;
    }
    plan.legend = free >= view.px(kMemoryLegendHeight);
    const float room = plan.legend ? free - view.px(kMemoryLegendHeight) : free;
    plan.rows = fitRows(room, rowHeight, withPast ? past : 0, roundsToCome(scene, current));
    return room;
  };
  float room = place(past > 0);
  if (past > 0 && plan.rows.past == 0) room = place(false);
  if (room < 0) plan.heights.lines = std::max(kLeastLines, plan.heights.lines + room / view.draw.scale);
  const float spare = room - rowHeight * float(plan.rows.past + plan.rows.toCome);
  const float growing = view.px(plan.heights.total()) + rowHeight * float(plan.rows.past + plan.rows.toCome);
  const float most = 1 + std::max(0.0f, spare) / growing;  // if all grow alike
  plan.rowHeight *= std::min(most, kMostRowGrowth);
  const float rest =
      spare - view.px(plan.rowHeight - kMemoryRowHeight) * float(plan.rows.past + plan.rows.toCome);
  const float growth = std::clamp(1 + rest / view.px(plan.heights.total()), 1.0f, kMostBandGrowth);
  plan.heights.cell *= growth, plan.heights.lines *= growth, plan.heights.result *= growth;
  return plan;
}

// A cell of shared memory finds its element, everything between the cells the thread.
void pointAtBand(ViewContext& view, const HitArea& area, const MemoryScene& scene,
                 const BandHeights& heights) {
  if (!area.hovered || scene.band.columns.empty()) return;
  const auto& columns = scene.band.columns;
  const float x = area.pointer.x;
  const auto found =
      std::ranges::find_if(columns, [&](const BandColumn& column) { return x < column.result.to; });
  const BandColumn& column = found == columns.end() ? columns.back() : *found;
  if (const Operand* operand = operandAt(view, scene, column, heights, x, area.pointer.y))
    return pointAt(view, area, Hover{HoverKind::Element, scene.stage.placeOf(*operand)});
  pointAt(view, area, column.work->thread);
}

// The longest note that fits: with the way to more, the figures alone, or none.
std::string noteThatFits(const Band& band, std::uint64_t elements, const ElementRange& range,
                         const TextStyle& style, float width) {
  if (elements == 0 || width <= 0) return {};
  const std::uint64_t shown = band.everything() ? elements : range.last - range.first;
  const std::string figures = std::to_string(shown) + " of " + std::to_string(elements) + " elements";
  std::string whole = figures;
  if (!band.everything())
    whole += " in view · wheel zooms, drag pans, F fits";
  else if (band.shape == BandShape::Adjacent)
    whole += " · dead elements fold under the live one to their left";
  for (const std::string& note : {whole, figures})
    if (textSize(style, note).x <= width) return note;
  return {};
}

// The thread that the band keeps in view: the hovered one, or the one that works on the hovered element.
std::optional<unsigned> heldThread(const ViewContext& view) {
  const auto hover = view.session.hover();
  if (hover && hover->kind == HoverKind::Element) return view.twins.lowestThread();
  return view.session.hoveredThread();
}

// At the right of the panel's title, if that is not on a tab and there is room.
void drawTitleNote(ViewContext& view, Panel& panel, const std::string& note) {
  const ImVec2 min = panel.contentMin(), max = panel.contentMax();
  const TextStyle style = wordsStyle(view.draw, kLabelSize, view.colours().dim);
  const float left = panel.titleEnd().x + view.px(12);
  if (panel.titleEnd().x <= min.x || left + textSize(style, note).x > max.x) return;
  drawText(view.draw, panel.list(), {left, min.y - view.px(kPanelTitleHeight)}, {max.x, min.y}, note, style,
           TextAlign::Right);
}

}  // namespace

void drawSharedMemory(ViewContext& view, SharedMemoryState& state) {
  const Session& session = view.session;
  if (state.run != session.run() || state.at != session.playhead())
    state = {.columnsInView = {}, .firstColumn = {}, .at = session.playhead(), .run = session.run()};

  PanelSpec spec{.name = kSharedMemoryPanel, .leastWidth = 360, .leastHeight = 220};
  if (!session.run()) {
    Panel panel(view.draw, spec);
    return;
  }
  // The panel's width is known only once it has begun, so its note is of the frame before: it changes with
  // the round.
  const float value = textSize(codeBoldStyle(view.draw, kLabelSize, 0), "0").x;
  MemoryWish wish{
      .width = 0,
      .minimumCell = view.px(14),
      .textWidth = [&](const std::string& text) { return value * float(text.size()) + view.px(8); },
      .heldThread = heldThread(view),
      .columnsInView = state.columnsInView,
      .firstColumn = state.firstColumn};
  const MemoryStage stage = stageOf(session);
  const std::uint64_t elements = stage.elements();

  Panel panel(view.draw, spec);
  if (!panel) return;
  ImDrawList& list = panel.list();
  const ImVec2 min = panel.contentMin(), max = panel.contentMax();
  if (showsRegisters(session)) {
    drawTitleNote(view, panel, registerNote(view));
    drawRegisters(view, list, min, max);
    return;
  }
  const float left = min.x + view.px(kLabelWidth) + view.px(kGap);
  wish.width = std::floor(max.x - left);
  const Band band = layOutBand(session, wish);
  const auto rows = memoryRows(stage, session.run()->flow[session.playhead().launch]);
  const ElementRange bandRange = elementsInView(band, stage);
  const bool wholeRange = band.shape == BandShape::Columns;
  MemoryScene scene{.stage = stage,
                    .band = band,
                    .rows = rows,
                    .elements = elements,
                    .inView = wholeRange ? ElementRange{0, elements} : bandRange,
                    .ofBand = bandRange,
                    .left = left,
                    .right = left + wish.width,
                    .labelRight = left - view.px(kGap)};
  const TextStyle noteStyle = wordsStyle(view.draw, kLabelSize, view.colours().dim);
  const bool hasTitleLine = panel.titleEnd().x > min.x;  // else the name stands on a tab
  const float noteLeft = hasTitleLine ? panel.titleEnd().x + view.px(12) : max.x;
  drawText(view.draw, list, {noteLeft, min.y - view.px(kPanelTitleHeight)}, {max.x, min.y},
           noteThatFits(band, elements, bandRange, noteStyle, max.x - noteLeft), noteStyle, TextAlign::Right);

  const MemoryPlan plan = planOf(view, scene, max.y - min.y);
  float y = min.y;
  if (plan.overview) {
    if (const auto element = drawOverview(view, list, scene, y + view.px(2), view.px(kOverviewHeight)))
      panTo(*element, scene, state);
    y += view.px(kOverviewHeight + kGap);
  }
  if (plan.rows.past > 0) {
    drawElementAxis(view, list, scene, y);
    y += view.px(kAxisHeight);
  }
  const unsigned current = session.playhead().round;
  const float rowHeight = view.px(plan.rowHeight), rowStep = rowHeight + view.px(kMemoryRowGap);
  for (unsigned round = current - plan.rows.past; round < current; ++round, y += rowStep)
    drawPastRow(view, list, scene, round, y, rowHeight);
  if (plan.wedge) drawWedge(view, list, scene, y - view.px(kMemoryRowGap), y + view.px(kWedgeHeight));
  y += plan.wedge ? view.px(kWedgeHeight) : view.px(4);
  drawBand(view, list, scene, plan.heights, y);

  const ImVec2 bandMin{scene.left, y}, bandMax{scene.right, y + view.px(plan.heights.total())};
  const HitArea area = hitArea("shared memory map", bandMin, bandMax);
  zoomAndPan(area, band, wish.width, state);
  pointAtBand(view, area, scene, plan.heights);
  y = bandMax.y + view.px(kGap);
  for (unsigned round = current + 1; round <= current + plan.rows.toCome; ++round, y += rowStep)
    drawRowToCome(view, list, scene, round, y, rowHeight);
  if (plan.legend)
    drawMemoryLegend(view, list, legendOf(view, scene, plan.rows.past > 0, plan.rows.toCome > 0),
                     {scene.left, max.y - view.px(kMemoryLegendHeight)}, max.x);
}

}  // namespace stridescope
