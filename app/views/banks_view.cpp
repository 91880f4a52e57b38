#include "views/banks_view.h"

#include <array>
#include <cmath>

#include "draw/grid_painter.h"
#include "draw/marks.h"
#include "draw/panel.h"
#include "twin/round_kind.h"
#include "views/map_bytes.h"
#include "views/map_frame.h"
#include "views/punch_card.h"
#include "views/tabs.h"

namespace stridescope {
namespace {

constexpr float kRowHeight = 14, kHeadHeight = 18, kWayWidth = 48, kLeastCard = 96;
constexpr unsigned kMostRounds = 12;

// Viridis at .15 + .85 log2(n) / 5, so that a single word is told from none and each doubling is one step.
std::array<CellStyle, kBankCount + 1> wayStyles(const Palette& colours) {
  std::array<CellStyle, kBankCount + 1> styles;
  styles[0] = {.fill = colours.dead};
  for (unsigned words = 1; words <= kBankCount; ++words)
    styles[words] = {.fill = viridis(0.15f + 0.85f * std::log2(float(words)) / 5)};
  return styles;
}

// Labels and ways of a row find its round; a click anywhere in it goes there.
void pointAtBanksByRound(ViewContext& view, const MapFrame& frame, RoundRange range,
                         std::pair<float, float> sides) {
  const unsigned launch = view.session.playhead().launch;
  const auto roundAtRow = [&](const HitArea& area) {
    return range.first + unsigned(frame.rowAt(area.pointer.y));
  };
  const HitArea labels =
      hitArea("banks rounds", {sides.first, frame.gridMin.y}, {frame.gridMin.x - 1, frame.gridMax.y});
  pointAtRound(view, labels, launch, roundAtRow(labels));
  const HitArea ways =
      hitArea("banks ways", {frame.gridMax.x + 1, frame.gridMin.y}, {sides.second, frame.gridMax.y});
  pointAtRound(view, ways, launch, roundAtRow(ways));
  const HitArea area = hitArea("banks by round", frame.gridMin, frame.gridMax);
  if (area.clicked) view.commands.push_back(GoToRound{launch, roundAtRow(area)});
  const Hover bank{HoverKind::Bank, std::uint64_t(frame.columnAt(area.pointer.x))};
  if (area.hovered && view.session.hover() != bank) view.commands.push_back(PointAt{bank});
}

// The lit banks in the current round's row, a ring round each run of them; the hovered round's whole row.
void lightBanksByRound(ViewContext& view, ImDrawList& list, const MapFrame& frame, RoundRange range,
                       std::pair<float, float> sides) {
  const int current = int(view.session.playhead().round) - int(range.first);
  for (int bank = 0; current >= 0 && current < frame.rows && bank < frame.columns;) {
    int end = bank;
    while (end < frame.columns && view.twins.bank(unsigned(end))) ++end;
    if (end > bank && end - bank < frame.columns)
      drawHoverRingOnAmounts(view.draw, list, frame.cellMin(bank, current), frame.cellMax(end - 1, current));
    bank = std::max(end, bank + 1);
  }
  for (int row = 0; row < frame.rows; ++row)
    if (view.twins.round(range.first + unsigned(row)))
      drawHoverRingOnAmounts(view.draw, list, {sides.first, frame.cellMin(0, row).y},
                             {sides.second, frame.cellMax(0, row).y});
}

bool usesBanks(const Session& session, RoundRange range) {
  for (unsigned round = range.first; round < range.last; ++round)
    for (const Request& request : session.launchAnalysis().rounds[round].requests)
      if (request.shared) return true;
  return false;
}

// The rows' labels take the room of the longest one; a stride's has three digits, so that the grid keeps its
// place from variant to variant.
std::string widestTick(const Session& session, RoundRange range) {
  std::string widest = "128";
  for (unsigned round = range.first; round < range.last; ++round)
    if (const std::string tick = tickOf(roundAt(session, round)); tick.size() > widest.size()) widest = tick;
  return widest;
}

void drawBanksByRound(ViewContext& view, ImDrawList& list, ImVec2 min, ImVec2 max, RoundRange range) {
  const Palette& colours = view.colours();
  const MapBytes bytes = bankBytes(view.session.launch(), view.session.launchAnalysis(), range);
  const TextStyle head = wordsStyle(view.draw, kLabelSize, colours.dim);
  drawText(view.draw, list, min, {max.x, min.y + view.px(kHeadHeight)},
           "banks × strides: most words in one bank", head);

  // The frame leaves room above for column labels, which this map shares with the card: the head stands
  // there.
  const std::string widest = widestTick(view.session, range);
  const MapFrame frame = layOutMap(view, min, {max.x - view.px(kWayWidth), max.y}, bytes.columns, bytes.rows,
                                   kRowHeight, widest);
  const int current = int(view.session.playhead().round) - int(range.first);
  if (current >= 0 && current < bytes.rows)
    list.AddRectFilled({min.x, frame.cellMin(0, current).y}, {max.x, frame.cellMax(0, current).y},
                       colours.field);
  drawMapLabels(view, list, frame,
                {.column = {},
                 .row = [&](int row) { return tickOf(roundAt(view.session, range.first + unsigned(row))); },
                 .strongRow = current,
                 .widestRow = widest});
  const auto styles = wayStyles(colours);
  paintGrid(view.draw, list, frame.gridMin, frame.gridMax,
            {.name = "banks by round",
             .columns = bytes.columns,
             .rows = bytes.rows,
             .cells = bytes.cells,
             .styles = styles});

  const float line = view.px(kLabelSize + 1);
  float taken = -1e9f;
  for (int row = 0; row < bytes.rows; ++row) {
    unsigned way = 0;
    for (const Request& request : view.session.launchAnalysis().rounds[range.first + unsigned(row)].requests)
      if (request.shared) way = std::max(way, request.way);
    const float middle = (frame.cellMin(0, row).y + frame.cellMax(0, row).y) / 2;
    if (middle - line / 2 < taken) continue;
    taken = middle + line / 2;
    const TextStyle style = row == current ? codeBoldStyle(view.draw, kLabelSize, colours.text)
                                           : codeStyle(view.draw, kLabelSize, colours.dim);
    drawText(view.draw, list, {frame.gridMax.x, middle - line / 2}, {max.x, middle + line / 2},
             way == 0 ? std::string("none") : std::to_string(way) + "-way", style, TextAlign::Right);
  }
  lightBanksByRound(view, list, frame, range, {min.x, max.x});
  pointAtBanksByRound(view, frame, range, {min.x, max.x});
}

}  // namespace

void drawBanks(ViewContext& view) {
  std::string note;
  if (view.session.run())
    if (const auto warp = shownWarp(view.session, view.session.requestRole()))
      note = "warp " + std::to_string(*warp);
  Panel panel(view.draw, {.name = kBanksPanel, .note = note, .leastWidth = 230, .leastHeight = 160});
  if (!panel || !view.session.run()) return;

  constexpr std::array<const char*, 3> tabs{"load A", "load B", "store"};
  const RequestRole role = shownRole(view.session);
  const ImU32 underline = role == RequestRole::Store ? view.colours().result : view.colours().operand;
  if (const int clicked = drawTabs(view, panel, tabs, int(role), underline); clicked >= 0)
    view.commands.push_back(ChooseRequest{RequestRole(clicked)});

  const RoundRange range =
      partOf(mappedRounds(view.session.launchAnalysis()), view.session.playhead().round, kMostRounds);
  ImVec2 min = panel.contentMin(), max = panel.contentMax();
  min.y += view.px(kAxisHeight);  // the card's head stands above its bank numbers
  const float below = view.px(kHeadHeight + 4) + view.px(kRowHeight) * float(range.count());
  if (usesBanks(view.session, range) && max.y - min.y - below >= view.px(kLeastCard)) {
    drawBanksByRound(view, panel.list(), {min.x, max.y - below + view.px(4)}, max, range);
    max.y -= below + view.px(4);
  }
  drawPunchCard(view, panel.list(), min, max);
}

}  // namespace stridescope
