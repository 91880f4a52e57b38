#include <algorithm>
#include <array>

#include "draw/draw_context.h"
#include "draw/grid_painter.h"
#include "draw/marks.h"
#include "draw/panel.h"
#include "narration/measured_sentences.h"
#include "narration/round_kind.h"
#include "views/maps/map_frame.h"
#include "views/panels.h"
#include "views/shared/explanations.h"
#include "views/shared/map_bytes.h"
#include "views/shared/shown_round.h"

namespace stridescope::views {
namespace {

constexpr const char* kDivergenceTitle = "Lane utilization";
constexpr float kMaxDivergenceRowHeight = 18, kLaneScaleHeight = 8;
constexpr float kLabelRoom = 40, kMinRoundColumn = 8;
constexpr float kLaneScaleLegend = kLaneScaleHeight + 2 + draw::kLabelLineHeight;

constexpr std::size_t kStyles = kMoreOfSomeTakePart + model::kWarpSize + 1;

// Indexed by the bytes of usedLaneBytes().
std::array<draw::CellStyle, kStyles> usedStyles(const draw::Palette& colours, unsigned lanes) {
  std::array<draw::CellStyle, kStyles> styles;
  styles[0] = {.fill = colours.dead};
  for (unsigned used = 1; used <= model::kWarpSize; ++used)
    styles[used] = {.fill = draw::viridis(float(used) / float(model::kWarpSize)),
                    .mark = colours.panel,
                    .notch = used < lanes};
  for (unsigned used = 0; used <= model::kWarpSize; ++used)
    for (const std::size_t from : {kMoreTakePart, kMoreOfSomeTakePart})
      styles[from + used] = {.fill = styles[used].fill,
                             .mark = colours.text,
                             .notch = from == kMoreOfSomeTakePart,
                             .outline = 1};
  return styles;
}

void drawScale(ViewContext& view, ImDrawList& list, ImVec2 min, float width) {
  const float height = view.px(kLaneScaleHeight);
  constexpr int kSteps = 32;
  for (int step = 0; step < kSteps; ++step) {
    const float left = std::round(min.x + width * float(step) / kSteps);
    const float right = std::round(min.x + width * float(step + 1) / kSteps);
    list.AddRectFilled({left, min.y}, {right, min.y + height}, draw::viridis((float(step) + 1) / kSteps));
  }
  const draw::TextStyle style = view.code(view.colours().dim);
  const float top = min.y + height + view.px(2);
  const ImVec2 max{min.x + width, top + view.px(draw::kLabelLineHeight)};
  view.text(list, {min.x, top}, max, "1", style);
  view.text(list, {min.x, top}, max, "16", style, draw::TextAlign::Centre);
  view.text(list, {min.x, top}, max, "32", style, draw::TextAlign::Right);
  explain(view, "1 to 32 active lanes", min, max);
}

// Where neither black nor white is read well enough on the amount's colour, the number stands on black.
void drawPlate(const ViewContext& view, ImDrawList& list, const MapFrame& frame, int column, int row,
               draw::TextStyle& style) {
  const ImVec2 min = frame.cellMin(column, row), max = frame.cellMax(column, row);
  const ImVec2 half = draw::textSize(style, "32");
  const float x = (min.x + max.x) / 2, y = (min.y + max.y) / 2, out = view.px(2);
  list.AddRectFilled({x - half.x / 2 - out, std::max(min.y, y - half.y / 2 - out)},
                     {x + half.x / 2 + out, std::min(max.y, y + half.y / 2 + out)}, IM_COL32_BLACK,
                     view.px(2));
  style.colour = IM_COL32_WHITE;
}

// What the source says, over the launch.
std::string sourceSentence(const analysis::LaunchAnalysis& analysis) {
  unsigned both = 0;
  for (const analysis::Round& round : analysis.rounds) {
    if (!round.divergentBranches)
      return "Divergent branches in source: not known, because the text's branches were not recorded.";
    both += *round.divergentBranches;
  }
  if (both == 0) return "Divergent branches in source: none.";
  return "Divergent branches in source: " + std::to_string(both) + " over all rounds together.";
}

// Draws the link to the branches and predicates that the compiler made of the source's.
void machineCodeLink(ViewContext& view, ImDrawList& list, ImVec2 min, ImVec2 max) {
  if (view.draw.isPicture) return;
  const draw::TextStyle style = view.words(view.colours().operandLine);
  const char* const text = "Machine code";
  const float right = std::min(max.x, min.x + draw::textSize(style, text).x);
  const HitArea area = hitArea("machine code link", min, {right, max.y});
  view.text(list, min, {right + 1, max.y}, text, style);
  list.AddLine({min.x, max.y - view.px(1)}, {right, max.y - view.px(1)}, style.colour);
  if (area.hovered)
    wideTooltip(view,
                "The branches and predicates that the compiler made of these, in the Machine code panel");
  if (area.clicked) view.commands.push_back(session::ShowPanel{"machine_code"});
}

void drawDivergence(ViewContext& view) {
  draw::Panel panel(
      view.draw, {.name = kDivergenceTitle, .note = "active lanes", .leastWidth = 150, .leastHeight = 120});
  if (!panel || !view.replay.run()) return;
  ImDrawList& list = panel.list();
  const model::LaunchTrace& launch = view.replay.launch();
  const analysis::LaunchAnalysis& analysis = view.replay.launchAnalysis();
  const RoundRange all = mappedRounds(analysis);
  if (all.count() == 0) return;
  const float room = panel.contentMax().x - panel.contentMin().x - view.px(kLabelRoom);
  const RoundRange range = partOf(all, view.replay.playhead().round,
                                  std::max(1u, unsigned(std::max(0.0f, room) / view.px(kMinRoundColumn))));

  const MapBytes bytes =
      usedLaneBytes(launch, analysis, view.replay.run()->flow[view.replay.playhead().launch], range,
                    {view.replay.playhead().round, view.replay.shownPass()});
  const bool moreTakePart =
      std::ranges::any_of(bytes.cells, [](std::uint8_t cell) { return cell >= kMoreTakePart; });
  const ImVec2 min = panel.contentMin();
  ImVec2 mapMax = panel.contentMax();
  const int rows = int(warpsOf(launch));
  std::string sentence = sourceSentence(analysis);
  if (range.count() < all.count())
    sentence = "Rounds " + std::to_string(range.first) + " to " + std::to_string(range.last - 1) + " of " +
               std::to_string(analysis.rounds.size()) + ". " + sentence;
  const std::string marks =
      moreTakePart
          ? "Outlined: lanes whose result is used; more are active. Notch: some lanes active, some not."
          : "Notch: some lanes active, some not.";
  const std::string hardware = narration::measuredDivergence(
      measuredFrom(view.replay.counters()), view.replay.counters().record, view.replay.playhead().launch);
  const draw::TextStyle words = view.words(view.colours().dim);
  const float width = mapMax.x - min.x;
  const int lines = draw::wrappedLineCount(words, sentence, width) +
                    draw::wrappedLineCount(words, hardware, width) +
                    draw::wrappedLineCount(words, marks, width) + 1;
  const float needed = view.px(kAxisHeight) + view.px(4) * float(rows);
  const float texts =
      view.px(kLaneScaleLegend + 12) + view.px(draw::kLabelLineHeight) * float(lines) + view.px(8);
  const float height = mapMax.y - min.y;
  const bool withTexts = height - texts >= needed;
  const bool withScale = withTexts || height - view.px(kLaneScaleLegend + 12) >= needed;
  if (withTexts)
    mapMax.y -= texts;
  else if (withScale)
    mapMax.y -= view.px(kLaneScaleLegend + 12);

  const std::string lastWarp = "W" + std::to_string(rows - 1);
  const MapFrame frame = layOutMap(view, min, mapMax, bytes.columns, rows, kMaxDivergenceRowHeight, lastWarp);
  const unsigned current = view.replay.playhead().round;
  const int column = current >= range.first && current < range.last ? int(current - range.first) : -1;
  if (column >= 0)
    list.AddRectFilled({frame.cellMin(column, 0).x, frame.gridMin.y - view.px(kAxisHeight)},
                       {frame.cellMax(column, 0).x, frame.gridMax.y}, view.colours().field);
  drawMapLabels(view, list, frame,
                {.column = [&](int at) { return tickOf(view.replay, range.first + unsigned(at)); },
                 .row = [](int warp) { return "W" + std::to_string(warp); },
                 .strongColumn = column,
                 .widestRow = lastWarp});
  const auto styles = usedStyles(view.colours(), lanesOf(launch, 0));
  draw::paintGrid(
      view.draw, list, frame.gridMin, frame.gridMax,
      {.name = "divergence", .columns = bytes.columns, .rows = rows, .cells = bytes.cells, .styles = styles});

  // Figures in the cells where they fit, black or white, whichever stands out more.
  const draw::TextStyle figure = view.code(0);
  const ImVec2 cellSize{frame.cellMax(0, 0).x - frame.cellMin(0, 0).x,
                        frame.cellMax(0, 0).y - frame.cellMin(0, 0).y};
  if (cellSize.x >= draw::textSize(figure, "32").x + view.px(6) &&
      cellSize.y >= view.px(draw::kLabelSize + 3)) {
    for (int row = 0; row < rows; ++row)
      for (int at = 0; at < bytes.columns; ++at) {
        const unsigned cell = bytes.at(at, row);
        if (cell == 0) continue;
        draw::TextStyle style = figure;
        style.colour = draw::readableOn(styles[cell].fill);
        if (view.app.isPresenting() &&
            draw::contrastRatio(style.colour, styles[cell].fill) < draw::kPresenterContrast)
          drawPlate(view, list, frame, at, row, style);
        view.text(list, frame.cellMin(at, row), frame.cellMax(at, row), std::to_string(cell % kMoreTakePart),
                  style, draw::TextAlign::Centre);
      }
  }

  pointAtWarpLabels(view, frame, min.x);
  const unsigned launchIndex = view.replay.playhead().launch;
  const MapFrame heads{.gridMin = {frame.gridMin.x, frame.gridMin.y - view.px(kAxisHeight)},
                       .gridMax = {frame.gridMax.x, frame.gridMin.y - 1},
                       .columns = frame.columns};
  const HitArea head = gridArea(view, "divergence rounds", heads);
  pointAtRound(view, head, launchIndex, range.first + unsigned(frame.columnAt(head.pointer.x)));
  std::optional<MapCell> hovered;
  for (int warp = 0; column >= 0 && warp < rows && !hovered; ++warp)
    if (view.linked.warp(unsigned(warp))) hovered = {column, warp};
  const HitArea area = gridArea(view, "divergence map", frame, hovered);
  if (area.clicked)
    view.commands.push_back(
        session::GoToRound{launchIndex, range.first + unsigned(frame.columnAt(area.pointer.x))});
  if (area.hovered)  // a click goes to the column's round, so it pins nothing
    hoverOver(view, {session::HoverKind::Warp, std::uint64_t(frame.rowAt(area.pointer.y))});
  for (int warp = 0; column >= 0 && warp < rows; ++warp)
    if (view.linked.warp(unsigned(warp)))
      draw::drawHoverRingOnAmounts(view.draw, list, frame.cellMin(column, warp), frame.cellMax(column, warp));
  for (int at = 0; at < bytes.columns; ++at)
    if (view.linked.round(range.first + unsigned(at)))
      draw::drawHoverRingOnAmounts(view.draw, list, frame.cellMin(at, 0), frame.cellMax(at, rows - 1));

  if (!withScale) return;
  float y = frame.gridMax.y + view.px(12);
  drawScale(view, list, {frame.gridMin.x, y}, frame.gridMax.x - frame.gridMin.x);
  y += view.px(kLaneScaleLegend) + view.px(8);
  if (!withTexts) return;
  const float line = view.px(draw::kLabelLineHeight);
  y = view.wrapped(list, {min.x, y}, width, line, marks, words).max.y;
  const float from = y;
  y = view.wrapped(list, {min.x, y}, width, line, sentence, words).max.y;
  explain(view, "divergent branches", {min.x, from}, {min.x + width, y});
  y = view.wrapped(list, {min.x, y}, width, line, hardware, words).max.y;
  machineCodeLink(view, list, {min.x, y}, {min.x + width, y + line});
}

}  // namespace

Panel divergencePanel() {
  return {.id = "divergence",
          .title = kDivergenceTitle,
          .places = {{.mode = session::Mode::Explore, .dock = {.region = shell::Region::Below, .width = 236}},
                     {.mode = session::Mode::Compare, .role = session::PanelRole::Turn, .turn = 3},
                     {.mode = session::Mode::Present,
                      .role = session::PanelRole::Turn,
                      .turn = 2,
                      .isNarrow = true}},
          .draw = drawDivergence};
}

}  // namespace stridescope::views
