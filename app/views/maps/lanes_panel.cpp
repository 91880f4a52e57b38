#include <array>
#include <utility>
#include <vector>

#include "draw/grid_painter.h"
#include "draw/marks.h"
#include "draw/panel.h"
#include "narration/outcome.h"
#include "views/maps/map_frame.h"
#include "views/maps/predicted_lanes.h"
#include "views/panels.h"
#include "views/shared/map_bytes.h"

namespace stridescope::views {
namespace {

constexpr const char* kLanesTitle = "Lanes";
constexpr float kMaxLanesRowHeight = 18;
constexpr int kStates = 6, kAlwaysInLegend = 4;

// Indexed by LaneState, then the active lanes whose results are not used (laneBytes).
std::array<draw::CellStyle, kStates> laneStyles(const draw::Palette& colours) {
  const int edge = colours.resultLine == colours.result ? 0 : 1;  // where orange is pale beside the panel
  return {draw::CellStyle{.fill = colours.result, .mark = colours.resultLine, .outline = edge},
          draw::CellStyle{.fill = colours.dead, .mark = colours.hatch, .hatch = true},
          draw::CellStyle{.fill = colours.dead, .mark = colours.hatch, .lineThrough = true},
          draw::CellStyle{.fill = colours.dead, .mark = colours.hatch, .cross = true},
          draw::CellStyle{.fill = colours.dead, .mark = colours.resultLine, .outline = 2},
          draw::CellStyle{.fill = colours.dead, .mark = colours.dim, .lineThrough = true, .outline = 1}};
}

// How many lanes there are of each.
std::array<unsigned, kStates> countStates(const MapBytes& bytes) {
  std::array<unsigned, kStates> counts{};
  for (const std::uint8_t cell : bytes.cells)
    if (cell < kStates) ++counts[cell];
  return counts;
}

// The states in the order of the legend: those of active lanes first, and those only if there are such lanes.
std::vector<int> legendStates(const std::array<unsigned, kStates>& counts) {
  std::vector<int> states{0};
  for (const int state : {int(kUnusedLane), int(kIdentityLane)})
    if (counts[std::size_t(state)] > 0) states.push_back(state);
  for (int state = 1; state < kAlwaysInLegend; ++state) states.push_back(state);
  return states;
}

void drawLegend(ViewContext& view, ImDrawList& list, ImVec2 min, float right,
                const std::array<unsigned, kStates>& counts) {
  const bool someUnused = counts[kUnusedLane] > 0 || counts[kIdentityLane] > 0;
  const char* const ended = narration::wasStopped(roundAt(view.replay)) ? "stopped" : "finished";
  const std::array<std::pair<const char*, const char*>, kStates> names{
      {{someUnused ? "active, result used" : "active", someUnused ? "used" : "active"},
       {"inactive, in a working warp", "inactive"},
       {"in an idle warp", "idle"},
       {ended, ended},
       {"active, result unused", "unused"},
       {"active, identities only", "identities"}}};
  const auto styles = laneStyles(view.colours());
  std::vector<LineLegendItem> items;
  for (const int state : legendStates(counts))
    items.push_back(
        {.count = counts[std::size_t(state)],
         .words = names[std::size_t(state)].first,
         .brief = names[std::size_t(state)].second,
         .stays = state == 0,
         .drawBox = [&view, &list, &styles, cell = std::uint8_t(state)](ImVec2 boxMin, ImVec2 boxMax) {
           draw::paintGrid(view.draw, list, boxMin, boxMax,
                           {.name = "lanes legend",
                            .columns = 1,
                            .rows = 1,
                            .cells = {&cell, 1},
                            .styles = styles,
                            .gapPx = 0});
         }});
  drawLineLegend(view, list, min, right, items);
}

// One thread, or every thread that has to do with what is pointed at; a whole warp has one ring.
void lightThreads(ViewContext& view, ImDrawList& list, const MapFrame& frame, const analysis::Round& round) {
  const auto hover = view.replay.hover();
  if (!hover) return;
  const bool one = hover->kind == session::HoverKind::Thread;
  for (const unsigned thread : view.linked.threads()) {
    if (thread >= round.lanes.size()) break;
    const int lane = int(thread % model::kWarpSize), warp = int(thread / model::kWarpSize);
    const ImVec2 cellMin = frame.cellMin(lane, warp), cellMax = frame.cellMax(lane, warp);
    if (round.lanes[thread] == analysis::LaneState::Active)
      list.AddRectFilled(cellMin, cellMax, view.colours().hover);
    if (one)
      draw::drawHoverRing(view.draw, list, cellMin, cellMax);
    else if (hover->kind != session::HoverKind::Warp)
      draw::drawLinkedRing(view.draw, list, cellMin, cellMax);
  }
  if (const int warp = int(hover->index); hover->kind == session::HoverKind::Warp && warp < frame.rows)
    draw::drawHoverRing(view.draw, list, frame.cellMin(0, warp), frame.cellMax(frame.columns - 1, warp));
}

// The threads of a race or a problem of this round.
void markTroubled(ViewContext& view, ImDrawList& list, const MapFrame& frame) {
  for (const std::uint32_t thread : view.trouble.threads) {
    const int lane = int(thread % model::kWarpSize), warp = int(thread / model::kWarpSize);
    if (warp >= frame.rows) continue;
    const float out = view.px(1);
    const ImVec2 min = frame.cellMin(lane, warp), max = frame.cellMax(lane, warp);
    draw::drawProblemRing(view.draw, list, {min.x - out, min.y - out}, {max.x + out, max.y + out});
  }
}

// What the panel is for while a round is predicted.
const char* lanesTitle(const ViewContext& view) {
  if (view.predict.isHidden())
    return threadMarks(view.predict) ? "Lanes: mark the active threads" : kLanesTitle;
  const teaching::Judgement* const judgement = threadJudgement(view.predict);
  return judgement != nullptr && judgement->answered ? "Lanes: your marks over the answer" : kLanesTitle;
}

void drawLanes(ViewContext& view, LanePainting& painting) {
  draw::Panel panel(view.draw, {.name = kLanesTitle,
                                .title = lanesTitle(view),
                                .note = "warps × lanes",
                                .leastWidth = 200,
                                .leastHeight = 120});
  if (!panel || !view.replay.run()) return;
  if (view.predict.isHidden()) return drawLanesToMark(view, panel, painting);
  const teaching::Judgement* judgement = threadJudgement(view.predict);
  if (judgement != nullptr && !judgement->answered) judgement = nullptr;
  ImDrawList& list = panel.list();
  const model::LaunchTrace& launch = view.replay.launch();
  // Marks are about the whole round, of whose passes one is shown.
  const session::Playhead& at = view.replay.playhead();
  const analysis::Round& round = judgement != nullptr ? view.replay.wholeRound() : view.replay.round();
  const analysis::RoundFlow& flow =
      judgement != nullptr ? view.replay.run()->flow[at.launch][at.round] : view.replay.flow();

  const MapBytes bytes = laneBytes(launch, round, flow);
  const std::array<unsigned, kStates> counts = countStates(bytes);
  const LaneMap map =
      drawLaneMap(view, panel, "lanes", bytes, laneStyles(view.colours()),
                  view.predict.isOn() ? kMarkedRowHeight : kMaxLanesRowHeight, view.linked.lowestThread());
  const MapFrame& frame = map.frame;
  pointAtWarpLabels(view, frame, panel.contentMin().x);
  const HitArea area = laneMapArea(view, frame);
  if (area.hovered)
    pointAt(
        view, area,
        unsigned(frame.rowAt(area.pointer.y)) * model::kWarpSize + unsigned(frame.columnAt(area.pointer.x)));
  markTroubled(view, list, frame);
  lightThreads(view, list, frame, round);
  if (judgement != nullptr) drawJudgedMarks(view, list, frame, *judgement);
  if (!map.hasLegend) return;
  if (judgement != nullptr)
    drawJudgedLegend(view, list, map.legendMin, panel.contentMax().x, *judgement);
  else
    drawLegend(view, list, map.legendMin, panel.contentMax().x, counts);
}

}  // namespace

Panel lanesPanel() {
  return {.id = "lanes",
          .title = kLanesTitle,
          .places = {{.mode = session::Mode::Explore, .dock = {.region = shell::Region::Below, .width = 272}},
                     {.mode = session::Mode::Predict, .dock = {.region = shell::Region::Below, .width = 395}},
                     {.mode = session::Mode::Compare, .role = session::PanelRole::Turn, .turn = 2},
                     {.mode = session::Mode::Present,
                      .role = session::PanelRole::Turn,
                      .turn = 1,
                      .isNarrow = true}},
          .draw = [painting = LanePainting{}](ViewContext& view) mutable { drawLanes(view, painting); }};
}

}  // namespace stridescope::views
