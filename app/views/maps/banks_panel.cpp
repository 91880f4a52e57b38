#include "views/maps/banks_panel.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "analysis/request_list.h"
#include "analysis/sectors.h"
#include "draw/marks.h"
#include "draw/panel.h"
#include "narration/requests.h"
#include "narration/text_maps.h"
#include "views/maps/map_frame.h"
#include "views/maps/punch_card.h"
#include "views/maps/strides_map.h"
#include "views/shared/hidden_words.h"
#include "views/shared/map_bytes.h"
#include "views/shared/tabs.h"

namespace stridescope::views {
namespace {

constexpr const char* kTitle = "Banks";
constexpr float kWayWidth = 48, kMapGap = 4, kMinCard = 96, kTextGap = 12;
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

StridesMap banksByRound(const ViewContext& view, RoundRange range, const AmountStyles& styles) {
  const analysis::LaunchAnalysis& analysis = view.replay.launchAnalysis();
  return {.name = "banks by round",
          .head = "banks × strides: most words in one bank",
          .bytes = bankBytes(analysis, range, {view.replay.playhead().round, view.replay.shownPass()}),
          .range = range,
          .styles = styles,
          .column = session::HoverKind::Bank,
          .columnLabel = {},
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
  const draw::TextStyle style = draw::codeBoldStyle(view.draw, draw::kLabelSize, 0);
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
  const std::vector<const analysis::Request*> list = analysis::listRequests(round);
  const auto found =
      std::ranges::find_if(list, [&](const analysis::RequestId* other) { return *other == request; });
  return std::size_t(found - list.begin());
}

ImU32 colourOf(const ViewContext& view, const analysis::Request& request) {
  return request.kind == model::EventKind::Load ? view.colours().operand : view.colours().result;
}

// Draws the access in the title line behind the tabs, where it fits.
void drawAccess(ViewContext& view, const draw::Panel& panel, const std::string& text, float left) {
  const draw::TextStyle code = draw::codeStyle(view.draw, draw::kLabelSize, view.colours().dim);
  const ImVec2 min{left + view.px(kTextGap), panel.contentMin().y - view.px(draw::kPanelTitleHeight)};
  if (min.x + draw::textSize(code, text).x > panel.titleRight()) return;
  draw::drawText(view.draw, panel.list(), min, {panel.titleRight(), panel.contentMin().y}, text, code);
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
    draw::Panel panel(view.draw, {.name = kTitle, .leastWidth = 230, .leastHeight = 160});
    if (!panel) return;
    draw::drawHatch(view.draw, panel.list(), panel.contentMin(), panel.contentMax(), view.colours().hatch);
    drawHiddenWords(view, panel.list(), panel.contentMin(), panel.contentMax());
    return;
  }
  const std::optional<ShownOperation> shown = hasRun ? shownOperation(view.replay) : std::nullopt;
  const std::string note = shown ? "warp " + std::to_string(shown->operation.warp) : std::string();
  draw::Panel panel(view.draw, {.name = kTitle,
                                .note = note,
                                .hasControlsInTitle = true,
                                .leastWidth = 230,
                                .leastHeight = view.app.isPresenting() ? 150.0f : 160.0f});
  if (!panel || !hasRun) return;
  if (shown) drawRequests(view, panel, *shown);

  const RoundRange range =
      partOf(mappedRounds(view.replay.launchAnalysis()), view.replay.playhead().round, kMaxRounds);
  ImVec2 min = panel.contentMin(), max = panel.contentMax();
  min.y += view.px(kAxisHeight);  // the punch card's head stands above its bank numbers
  const bool banks = asksOf(view.replay, range, true);
  const bool sectors =
      !analysis::usesShared(view.replay.launchAnalysis()) && asksOf(view.replay, range, false);
  if (banks || sectors) {
    const AmountStyles styles = amountStyles(view.colours());
    const StridesMap map = banks ? banksByRound(view, range, styles) : sectorsByRound(view, range, styles);
    const float top = max.y - heightOf(view, map);
    if (top - view.px(kMapGap) - min.y >= view.px(kMinCard)) {
      drawStridesMap(view, panel.list(), {min.x, top}, max, map);
      max.y = top - 2 * view.px(kMapGap);
    }
  }
  drawPunchCard(view, panel.list(), min, max);
}

// Goes through the list, from its end to its start.
CommandEntry requestCommand(const std::string& which, int direction, ImGuiKeyChord keys) {
  return {
      .menu = "View",
      .name = which + " request in " + kTitle,
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
          .title = kTitle,
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
                       requestCommand("Previous", -1, ImGuiMod_Shift | ImGuiKey_B)}};
}

}  // namespace stridescope::views
