#include "views/shared_memory_view.h"

#include <cmath>

#include "draw/marks.h"
#include "draw/panel.h"
#include "views/shared_memory_scene.h"

namespace stridescope {
namespace {

constexpr float kLabelWidth = 52, kLegendHeight = 24, kAxisHeight = 18, kOverviewHeight = 10, kGap = 8;
constexpr float kLeastLines = 24;

void drawLegend(ViewContext& view, ImDrawList& list, ImVec2 min, float right) {
  const Palette& colours = view.colours();
  const TextStyle words = wordsStyle(view.draw, kLabelSize, colours.dim);
  struct Item {
    const char* text;
    ImU32 fill, outline;
    bool disc;
  };
  const Item items[] = {
      {"operand A", colours.operand, 0, false},      {"operand B", 0, colours.operand, false},
      {"thread that adds", colours.result, 0, true}, {"result", colours.result, 0, false},
      {"still needed", colours.live, 0, false},      {"not read again", colours.dead, 0, false},
      {"to come", 0, colours.toCome, false}};
  const float box = view.px(14), line = view.px(kLegendHeight);
  float x = min.x;
  for (const Item& item : items) {
    const float width = box + view.px(8) + std::ceil(textSize(words, item.text).x);
    if (x + width > right) break;
    const float top = std::round(min.y + (line - view.px(12)) / 2);
    const ImVec2 boxMin{x, top}, boxMax{x + box, top + view.px(12)};
    if (item.disc)
      list.AddCircleFilled({x + box / 2, min.y + line / 2}, view.px(6), item.fill);
    else if (item.fill != 0)
      list.AddRectFilled(boxMin, boxMax, item.fill);
    if (item.outline != 0) outlineInside(view.draw, list, boxMin, boxMax, item.outline, 1);
    drawText(view.draw, list, {x + box + view.px(8), min.y}, {x + width + view.px(2), min.y + line},
             item.text, words);
    x += width + view.px(20);
  }
}

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
      .heldThread = session.hoveredThread(),
      .columnsInView = state.columnsInView,
      .firstColumn = state.firstColumn};
  const LaunchTrace& launch = session.launch();
  const std::uint64_t elements = sharedElements(launch);

  Panel panel(view.draw, spec);
  if (!panel) return;
  ImDrawList& list = panel.list();
  const ImVec2 min = panel.contentMin(), max = panel.contentMax();
  const float left = min.x + view.px(kLabelWidth) + view.px(kGap);
  wish.width = std::floor(max.x - left);
  const Band band = layOutBand(session, wish);
  const auto rows = memoryRows(launch, session.run()->flow[session.playhead().launch]);
  const bool wholeRange = band.shape == BandShape::Columns;
  MemoryScene scene{.band = band,
                    .rows = rows,
                    .elements = elements,
                    .inView = wholeRange ? ElementRange{0, elements} : elementsInView(band, elements),
                    .left = left,
                    .right = left + wish.width,
                    .labelRight = left - view.px(kGap)};
  const ElementRange bandRange = elementsInView(band, elements);
  const TextStyle noteStyle = wordsStyle(view.draw, kLabelSize, view.colours().dim);
  const bool hasTitleLine = panel.titleEnd().x > min.x;  // else the name stands on a tab
  const float noteLeft = hasTitleLine ? panel.titleEnd().x + view.px(12) : max.x;
  drawText(view.draw, list, {noteLeft, min.y - view.px(kPanelTitleHeight)}, {max.x, min.y},
           noteThatFits(band, elements, bandRange, noteStyle, max.x - noteLeft), noteStyle, TextAlign::Right);

  // Heights: what is left after the fixed parts goes to the rows, then to the band.
  BandHeights heights{.operandRows = band.shape == BandShape::Columns && band.hasB ? 2 : 1};
  const bool overview = !band.everything() && band.shape == BandShape::Adjacent;
  const bool wedge = hasWedge(scene);
  const float rowHeight = view.px(kMemoryRowHeight + kMemoryRowGap);
  const float fixed = view.px(kAxisHeight) + (overview ? view.px(kOverviewHeight + kGap) : 0) +
                      (wedge ? view.px(kWedgeHeight) : view.px(4)) + view.px(kGap);
  const unsigned current = session.playhead().round;
  unsigned toCome = 0;
  while (current + 1 + toCome < rows.size() && !rows[current + 1 + toCome].live.empty()) ++toCome;
  // In a low panel the legend goes first, then part of the lines' height.
  const float withoutLegend = max.y - min.y - fixed - view.px(heights.total());
  const bool legend = withoutLegend >= view.px(kLegendHeight);
  const float room = legend ? withoutLegend - view.px(kLegendHeight) : withoutLegend;
  if (room < 0) heights.lines = std::max(kLeastLines, heights.lines + room / view.draw.scale);
  const RowCounts counts = fitRows(room, rowHeight, current, toCome);
  const float spare = room - rowHeight * float(counts.past + counts.toCome);
  const float growth = std::clamp(1 + spare / view.px(heights.total()), 1.0f, 1.8f);
  heights.cell *= growth, heights.lines *= growth, heights.result *= growth;

  float y = min.y;
  if (overview) {
    drawOverview(view, list, scene, y + view.px(2), view.px(kOverviewHeight));
    y += view.px(kOverviewHeight + kGap);
  }
  drawElementAxis(view, list, scene, y);
  y += view.px(kAxisHeight);
  for (unsigned round = current - counts.past; round < current; ++round, y += rowHeight)
    drawPastRow(view, list, scene, round, y, view.px(kMemoryRowHeight));
  if (wedge && counts.past > 0)
    drawWedge(view, list, scene, y - view.px(kMemoryRowGap), y + view.px(kWedgeHeight));
  y += wedge ? view.px(kWedgeHeight) : view.px(4);
  drawBand(view, list, scene, heights, y);

  const ImVec2 bandMin{scene.left, y}, bandMax{scene.right, y + view.px(heights.total())};
  const HitArea area = hitArea("shared memory map", bandMin, bandMax);
  zoomAndPan(area, band, wish.width, state);
  if (area.hovered && !band.columns.empty()) {
    const auto column =
        std::min(band.columns.size() - 1,
                 std::size_t(std::max(0.0f, area.pointer.x / wish.width * float(band.columns.size()))));
    pointAt(view, area, band.columns[column].work->thread);
  }
  y = bandMax.y + view.px(kGap);
  for (unsigned round = current + 1; round <= current + counts.toCome; ++round, y += rowHeight)
    drawRowToCome(view, list, scene, round, y, view.px(kMemoryRowHeight));
  if (legend) drawLegend(view, list, {scene.left, max.y - view.px(kLegendHeight)}, max.x);
}

}  // namespace stridescope
