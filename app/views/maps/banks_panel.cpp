#include <algorithm>
#include <array>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "analysis/requests.h"
#include "draw/draw_context.h"
#include "draw/grid_painter.h"
#include "draw/grid_picture.h"
#include "draw/marks.h"
#include "draw/panel.h"
#include "narration/requests.h"
#include "narration/round_kind.h"
#include "narration/text_maps.h"
#include "views/maps/map_frame.h"
#include "views/maps/punch_card.h"
#include "views/panels.h"
#include "views/shared/explanations.h"
#include "views/shared/map_bytes.h"
#include "views/shared/panel.h"
#include "views/shared/tabs.h"
#include "views/shared/view_context.h"

namespace stridescope::views {
namespace {

// A map of amounts by round: a row per round, a column per bank or warp, and at the right what the round
// cost. Pointing at a cell finds its column, at the rest of a row its round; a click goes to the round.

struct StridesMap {
  std::string name;  // names the grid, and what answers to the pointer: "banks by round"
  std::string head;  // above the map
  MapBytes bytes;    // a row for each round of `range`
  RoundRange range;
  std::span<const draw::CellStyle> styles;  // by amount
  session::HoverKind column{};              // what a column is: HoverKind::Bank or ::Warp

  // Above the columns, with the amounts in the cells where they fit; nullptr: neither, because the columns
  // are those of the map above.
  std::function<std::string(int column)> columnLabel;
  std::function<bool(int column)> isLit;
  std::vector<std::string> costs;  // one for each row
  float costWidth = 0;             // units
};

constexpr float kStrideRowHeight = 14, kStrideHeadHeight = 18;

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
  if (cells.hovered) hoverOver(view, columnUnder(cells));
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
    const draw::TextStyle style =
        row == placed.currentRow ? view.codeBold(colours.text) : view.code(colours.dim);
    view.text(list, {frame.gridMax.x, middle - line / 2}, {placed.right, middle + line / 2},
              placed.map.costs[std::size_t(row)], style, draw::TextAlign::Right);
  }
}

// In all cells or, where the widest does not fit, in none.
void drawAmounts(ViewContext& view, ImDrawList& list, const Placed& placed) {
  const MapFrame& frame = placed.frame;
  const MapBytes& bytes = placed.map.bytes;
  draw::TextStyle style = view.code(0);
  const auto most = std::ranges::max_element(bytes.cells);
  if (most == bytes.cells.end()) return;
  const float column = (frame.gridMax.x - frame.gridMin.x) / float(frame.columns);
  if (column < draw::textSize(style, std::to_string(*most)).x + view.px(4)) return;
  for (int row = 0; row < frame.rows; ++row)
    for (int at = 0; at < frame.columns; ++at) {
      const unsigned amount = bytes.at(at, row);
      if (amount == 0) continue;
      style.colour = draw::readableOn(placed.map.styles[amount].fill);
      view.text(list, frame.cellMin(at, row), frame.cellMax(at, row), std::to_string(amount), style,
                draw::TextAlign::Centre);
    }
}

// How much of a panel it takes, pixels.
float heightOf(const ViewContext& view, const StridesMap& map) {
  return view.px(kStrideHeadHeight + (map.columnLabel ? kAxisHeight : 0)) +
         view.px(kStrideRowHeight) * float(map.range.count());
}

// Draws it inside [min, max), heightOf high.
void drawStridesMap(ViewContext& view, ImDrawList& list, ImVec2 min, ImVec2 max, const StridesMap& map) {
  view.text(list, min, {max.x, min.y + view.px(kStrideHeadHeight)}, map.head, view.words(view.colours().dim));
  explain(view, map.head, min, {max.x, min.y + view.px(kStrideHeadHeight)});

  // A frame leaves room above for column labels: without them the head stands there.
  const float top = min.y + (map.columnLabel ? view.px(kStrideHeadHeight) : 0);
  const std::string widest = widestTick(view.replay, map.range);
  const Placed placed{.map = map,
                      .frame = layOutMap(view, {min.x, top}, {max.x - view.px(map.costWidth), max.y},
                                         map.bytes.columns, map.bytes.rows, kStrideRowHeight, widest),
                      .left = min.x,
                      .right = max.x,
                      .currentRow = int(view.replay.playhead().round) - int(map.range.first)};
  const MapFrame& frame = placed.frame;
  if (placed.currentRow >= 0 && placed.currentRow < frame.rows)
    list.AddRectFilled({min.x, frame.cellMin(0, placed.currentRow).y},
                       {max.x, frame.cellMax(0, placed.currentRow).y}, view.colours().field);
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

constexpr const char* kBanksTitle = "Banks";
constexpr float kWayWidth = 48, kMapGap = 4, kMinCard = 96, kAccessGap = 12;
constexpr unsigned kMaxRounds = 12;
constexpr int kMaxWarpLabels = 8;

// Words in one bank, or sectors of one request: a warp has one for each lane at most.
using AmountStyles = std::array<draw::CellStyle, model::kWarpSize + 1>;

// Viridis at .15 + .85 log2(n) / 5, so that a single one is told from none and each doubling is one step.
AmountStyles amountStyles(const draw::Palette& colours) {
  AmountStyles styles;
  styles[0] = {.fill = colours.dead};
  for (unsigned amount = 1; amount < styles.size(); ++amount)
    styles[amount] = {.fill = draw::viridis(0.15f + 0.85f * std::log2(float(amount)) / 5)};
  return styles;
}

bool asksOf(const session::Replay& replay, RoundRange range, bool shared) {
  for (unsigned round = range.first; round < range.last; ++round)
    for (const analysis::Request& request : replay.launchAnalysis().rounds[round].requests)
      if (request.shared == shared) return true;
  return false;
}

// The highest way of the round.
std::string wayText(const analysis::Round& round) {
  unsigned way = 0;
  for (const analysis::Request& request : round.requests)
    if (request.shared) way = std::max(way, request.way);
  return way == 0 ? std::string("none") : std::to_string(way) + "-way";
}

template <class CostOf>
std::vector<std::string> costsOf(RoundRange range, CostOf costOf) {
  std::vector<std::string> costs;
  for (unsigned round = range.first; round < range.last; ++round) costs.push_back(costOf(round));
  return costs;
}

// `isAlone`: no card above it numbers the banks.
StridesMap banksByRound(const ViewContext& view, RoundRange range, const AmountStyles& styles, bool isAlone) {
  const auto numbers = [](int bank) { return bank % 8 == 0 ? std::to_string(bank) : std::string(); };
  const analysis::LaunchAnalysis& analysis = view.replay.launchAnalysis();
  return {.name = "banks by round",
          .head = "banks × strides: most words in one bank",
          .bytes = bankBytes(analysis, range, {view.replay.playhead().round, view.replay.shownPass()}),
          .range = range,
          .styles = styles,
          .column = session::HoverKind::Bank,
          .columnLabel = isAlone ? std::function<std::string(int)>(numbers) : nullptr,
          .isLit = [&view](int bank) { return view.linked.bank(unsigned(bank)); },
          .costs =
              costsOf(range, [&](unsigned round) { return wayText(roundInMap(view.replay, round).round()); }),
          .costWidth = kWayWidth};
}

// The sectors of the round's warp that touches the most, and how many it could do with.
std::string sectorsText(const ViewContext& view, unsigned round) {
  const analysis::SectorUse use = analysis::worstOf(analysis::worstSectorsByWarp(
      view.replay.launchAnalysis().rounds[round], warpsOf(view.replay.launch())));
  return use.sectors == 0 ? "none" : narration::sectorCost(use);
}

StridesMap sectorsByRound(const ViewContext& view, RoundRange range, const AmountStyles& styles) {
  const std::vector<std::string> costs =
      costsOf(range, [&](unsigned round) { return sectorsText(view, round); });
  const int step = std::max(1, int(warpsOf(view.replay.launch())) / kMaxWarpLabels);
  const draw::TextStyle style = view.codeBold(0);
  float widest = 0;
  for (const std::string& cost : costs) widest = std::max(widest, draw::textSize(style, cost).x);
  return {.name = "sectors by round",
          .head = "sectors × strides: most of one request",
          .bytes = sectorBytes(view.replay.launch(), view.replay.launchAnalysis(), range),
          .range = range,
          .styles = styles,
          .column = session::HoverKind::Warp,
          .columnLabel =
              [step](int warp) { return warp % step == 0 ? "W" + std::to_string(warp) : std::string(); },
          .isLit = [&view](int warp) { return view.linked.warp(unsigned(warp)); },
          .costs = costs,
          .costWidth = widest / view.px(1) + 8};
}

// The place of a request in the round's list. Requires that the round makes it.
std::size_t placeOf(const analysis::Round& round, const analysis::RequestId& request) {
  const auto list = analysis::listRequests(round);
  const auto isIt = [&](const analysis::RequestId* other) { return *other == request; };
  return std::size_t(std::ranges::find_if(list, isIt) - list.begin());
}

ImU32 colourOf(const ViewContext& view, const analysis::Request& request) {
  return request.kind == model::EventKind::Load ? view.colours().operand : view.colours().result;
}

// Draws the access in the title line behind the tabs, where it fits.
void drawAccess(ViewContext& view, const draw::Panel& panel, const std::string& text, float left) {
  const draw::TextStyle code = view.code(view.colours().dim);
  const ImVec2 min{left + view.px(kAccessGap), panel.contentMin().y - view.px(draw::kPanelTitleHeight)};
  if (min.x + draw::textSize(code, text).x > panel.titleRight()) return;
  view.text(panel.list(), min, {panel.titleRight(), panel.contentMin().y}, text, code);
}

// The requests of the round, one tab each; where these do not fit, a list.
void drawRequests(ViewContext& view, const draw::Panel& panel, const ShownOperation& shown) {
  const narration::RoundAt at = roundAt(view.replay);
  const std::vector<narration::NamedRequest> requests = narration::namedRequests(at);
  std::vector<Choice> choices;
  for (const narration::NamedRequest& request : requests)
    choices.push_back({request.name, request.text, "line " + std::to_string(request.line)});
  const std::size_t place = placeOf(at.round(), shown.request);
  const ImU32 underline = colourOf(view, shown.request);
  int clicked = -1;
  if (tabsFit(view, panel, choices)) {
    float end = 0;
    clicked = drawTabs(view, panel, choices, int(place), underline, end);
    drawAccess(view, panel, requests[place].text, end);
  } else {
    clicked = drawChoiceList(view, panel, "##request", choices, int(place), underline);
  }
  if (clicked >= 0) view.commands.push_back(session::ChooseRequest{*requests[std::size_t(clicked)].request});
}

void drawBanks(ViewContext& view) {
  const bool hasRun = view.replay.run() != nullptr;
  if (view.predict.isHidden()) {
    draw::Panel panel(view.draw, {.name = kBanksTitle, .leastWidth = 230, .leastHeight = 160});
    if (!panel) return;
    draw::drawHatch(view.draw, panel.list(), panel.contentMin(), panel.contentMax(), view.colours().hatch);
    drawHiddenWords(view, panel.list(), panel.contentMin(), panel.contentMax());
    return;
  }
  const std::optional<ShownOperation> shown = hasRun ? shownOperation(view.replay) : std::nullopt;
  draw::Panel panel(view.draw, {.name = kBanksTitle,
                                .note = shown ? "warp " + std::to_string(shown->operation.warp) : "",
                                .hasControlsInTitle = true,
                                .leastWidth = 230,
                                .leastHeight = view.app.isPresenting() ? 150.0f : 160.0f});
  if (!panel || !hasRun) return;
  if (shown) drawRequests(view, panel, *shown);

  ImVec2 min = panel.contentMin(), max = panel.contentMax();
  min.y += view.px(kAxisHeight);  // the punch card's head
  if (!shown) min.y = drawNoRequest(view, panel.list(), min, max.x) + view.px(kMapGap);
  // Without a card the map has as many rounds as fit below the sentence.
  const float room = (max.y - min.y - view.px(kStrideHeadHeight + kAxisHeight)) / view.px(kStrideRowHeight);
  const unsigned rows = shown ? kMaxRounds : unsigned(std::clamp(room, 1.0f, float(kMaxRounds)));
  const auto& launch = view.replay.launchAnalysis();
  const RoundRange range = partOf(mappedRounds(launch), view.replay.playhead().round, rows);
  const bool banks = asksOf(view.replay, range, true);
  const bool sectors = !analysis::usesShared(launch) && asksOf(view.replay, range, false);
  if (banks || sectors) {
    const AmountStyles styles = amountStyles(view.colours());
    const bool isAlone = !shown || !shown->request.shared;
    const StridesMap map =
        banks ? banksByRound(view, range, styles, isAlone) : sectorsByRound(view, range, styles);
    const float gap = view.px(kMapGap), own = heightOf(view, map), lowest = max.y - own;
    const float card = shown ? mostCardHeight(view, *shown, max.x - min.x) + 2 * gap : 0;
    if ((shown ? lowest - gap : max.y) - min.y >= view.px(kMinCard)) {
      // It has what the card leaves, but from stride to stride stays where it is unless that is much.
      const bool grows = !shown || (isAlone && banks) || lowest - min.y - card >= own;
      const float top = grows ? std::min(lowest, min.y + card) : lowest;
      drawStridesMap(view, panel.list(), {min.x, top}, max, map);
      max.y = top - 2 * gap;
    }
  }
  if (shown) drawPunchCard(view, panel.list(), min, max, *shown);
}

// Goes through the list, from its end to its start.
CommandEntry requestCommand(const std::string& which, int direction, ImGuiKeyChord keys) {
  return {
      .menu = "View",
      .group = 2,
      .name = which + " request in " + kBanksTitle,
      .keys = keys,
      .make = [direction](const session::Parts& parts) -> session::Command {
        const auto list = analysis::listRequests(parts.replay.round());
        const std::size_t place = placeOf(parts.replay.round(), *parts.replay.shownRequest());
        return session::ChooseRequest{*list[(place + list.size() + std::size_t(direction)) % list.size()]};
      },
      .enabled =
          [](const session::Parts& parts) {
            return parts.replay.run() != nullptr && parts.replay.shownRequest() != nullptr;
          },
      .repeats = true};
}

}  // namespace

Panel banksPanel() {
  return {.id = "banks",
          .title = kBanksTitle,
          .places = {{.mode = session::Mode::Explore, .dock = {.region = shell::Region::Below, .width = 316}},
                     {.mode = session::Mode::Predict, .dock = {.region = shell::Region::Below, .width = 305}},
                     {.mode = session::Mode::Compare, .role = session::PanelRole::Turn, .turn = 1},
                     {.mode = session::Mode::Present,
                      .role = session::PanelRole::Turn,
                      .turn = 3,
                      .isFirst = true,
                      .isNarrow = true}},
          .draw = drawBanks,
          .commands = {requestCommand("Next", +1, ImGuiKey_B),
                       requestCommand("Previous", -1, ImGuiMod_Shift | ImGuiKey_B)},
          .hasSomething = [](const session::Parts& parts) {
            return parts.replay.run() == nullptr || !parts.replay.round().requests.empty();
          }};
}

}  // namespace stridescope::views
