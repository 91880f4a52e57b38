#include "views/chrome/scrub_bar.h"

#include <algorithm>
#include <cmath>

#include "draw/marks.h"
#include "narration/round_kind.h"
#include "narration/wording.h"
#include "views/chrome/scrub_track.h"
#include "views/shared/shown_cycles.h"
#include "views/shared/shown_round.h"
#include "views/shared/trouble_marks.h"

namespace stridescope::views {
namespace {

// Units.
constexpr float kReach = 10, kMinTickStep = 6, kMinPassStep = 4, kElementGap = 32, kCycleBarWidth = 22,
                kRoomForLegend = 700;

std::vector<std::vector<unsigned>> passesOf(const session::Replay& replay) {
  std::vector<std::vector<unsigned>> passes;
  for (const analysis::LaunchAnalysis& launch : replay.run()->analysis.launches) {
    auto& own = passes.emplace_back();
    for (const analysis::Round& round : launch.rounds) own.push_back(round.passes);
  }
  for (const session::RoundName& coming : replay.run()->toCome)
    if (coming.round >= passes[coming.launch].size()) passes[coming.launch].push_back(1);
  return passes;
}

session::Playhead roundOf(const session::Playhead& at) { return {at.launch, at.round}; }

std::string labelOf(const session::Replay& replay, const session::Playhead& at) {
  if (const session::RoundName* const coming = comingRound(replay, at.launch, at.round)) return coming->tick;
  return narration::tickOf(roundAt(replay, at.launch, at.round));
}

struct ScrubPainter : ScrubTrack {
  // Draws small ticks for the passes of a round up to the next round, as many as have room.
  void passes(std::size_t tick) const {
    const unsigned count = scale.ticks[tick].passes;
    float drawn = x(tick);
    for (unsigned next = 1; next < count; ++next) {
      const float middle = x(tick, next);
      if (middle < drawn + view.px(kMinPassStep)) continue;
      drawn = middle;
      const bool past = tick < current || (tick == current && next <= pass);
      list.AddRectFilled({middle - view.px(0.5f), y() - view.px(4)},
                         {middle + view.px(0.5f), y() + view.px(4)},
                         past ? view.colours().text : view.colours().dim);
    }
  }

  void ticks() const {
    const auto hover = view.replay.hover();
    for (std::size_t i = 0; i < scale.ticks.size(); ++i) passes(i);
    forEachApart(kMinTickStep, [&](std::size_t i) { drawTick(i); });
    if (hover && hover->kind == session::HoverKind::Round) {
      const auto found = std::ranges::find_if(scale.ticks, [&](const ScrubTick& tick) {
        return tick.at.launch == hover->launch && tick.at.round == hover->index;
      });
      if (found != scale.ticks.end()) {
        const float middle = min.x + found->x;
        draw::drawHoverRing(view.draw, list, {middle - view.px(5), y() - view.px(10)},
                            {middle + view.px(5), y() + view.px(10)});
      }
    }
    crosses();
    drawKnob(view.replay.hidden() != nullptr);
  }

  // Draws on each round's tick what the round cost. Where rounds stand too close, only some have a bar.
  void cycleBars() const {
    const float half = view.px(kCycleBarWidth) / 2;
    float drawn = -1e9f;
    for (std::size_t i = 0; i < scale.ticks.size(); ++i) {
      const session::Playhead& at = scale.ticks[i].at;
      const analysis::Cycles* const cycles = cyclesAlone(view.replay, at.launch, at.round);
      if (cycles == nullptr || (x(i) - half < drawn + view.px(2) && i != current)) continue;
      drawn = x(i) + half;
      drawCycles(x(i) - half, drawn, double(cycles->median), view.replay.launch().block, i == current);
    }
  }

  // Above the rounds, or the passes, in which something went wrong.
  void crosses() const {
    for (std::size_t i = 0; i < scale.ticks.size(); ++i) {
      const unsigned launch = scale.ticks[i].at.launch;
      if (i > 0 && scale.ticks[i - 1].at.launch == launch) continue;
      for (const session::Playhead& place : troubledPlaces(view.replay, launch))
        draw::drawCross(view.draw, list, {x(i + place.round, place.pass), y() - view.px(12)}, view.px(4),
                        view.colours().problem, 2);
    }
  }

  std::optional<std::uint64_t> elementOf(std::size_t tick) const {
    const session::Playhead& at = scale.ticks[tick].at;
    if (const auto* const coming = comingRound(view.replay, at.launch, at.round))
      return coming->outputElement;
    return view.replay.run()->analysis.launches[at.launch].rounds[at.round].outputElement;
  }

  // " · 158 cycles", or nothing. Where there is no room for what tells of the bars, that they are recorded.
  std::string cost(std::size_t tick) const {
    const session::Playhead& at = scale.ticks[tick].at;
    const analysis::Cycles* const cycles = cyclesAlone(view.replay, at.launch, at.round);
    return cycles == nullptr || !tellsCycles()
               ? ""
               : " · " + narration::count(cycles->median, "cycle") +
                     (max.x - min.x < view.px(kRoomForLegend) ? ", recorded" : "");
  }

  // The current tick and the last are always named, then the launches, then whatever else has room.
  void labels() const {
    constexpr float kGap = 4;
    const draw::TextStyle dim = draw::codeStyle(view.draw, draw::kLabelSize, view.colours().dim);
    const draw::TextStyle words = draw::wordsStyle(view.draw, draw::kLabelSize, view.colours().dim);
    const draw::TextStyle strong = draw::codeBoldStyle(view.draw, draw::kLabelSize, view.colours().text);
    ScrubLabels names(*this);
    // Where the playhead stands in a pass that has a name of its own, such as a stride, that is told.
    const std::string shown =
        view.replay.hidden() ? view.replay.hidden()->tick : tickOf(view.replay, view.replay.playhead().round);
    const bool ofPass = shown != labelOf(view.replay, scale.ticks[current].at);
    if (ofPass) names.place(playheadX(), shown, strong, kGap);
    const auto tick = [&](std::size_t i) {
      // In a merge the shown round says which element it serves: a number alone would be read as one.
      const auto element = i == current ? elementOf(i) : std::nullopt;
      const std::string of = element ? "element " + figure(*element + 1) + ": " : std::string();
      names.place(x(i), of + labelOf(view.replay, scale.ticks[i].at) + (i == current ? cost(i) : ""),
                  i == current && !ofPass ? strong : dim, kGap);
    };
    tick(current);
    if (current + 1 != scale.ticks.size()) tick(scale.ticks.size() - 1);
    names.placeLaunches(kGap);
    forEachApart(kMinTickStep, [&](std::size_t i) {
      if (!elementOf(i) && i != current && i + 1 < scale.ticks.size()) tick(i);
    });
    // A merge's rounds are grouped by the element that they serve.
    for (std::size_t i = 0; i + 1 < scale.ticks.size(); ++i)
      if (const auto element = elementOf(i); element && (i == 0 || elementOf(i - 1) != element))
        names.place(x(i), "element " + figure(*element + 1), words, kElementGap);
  }
};

void takePointer(ViewContext& view, ImVec2 min, ImVec2 max, const ScrubScale& scale) {
  const HitArea area = scrubArea(view, min, max);
  const std::size_t tick = scale.nearest(area.pointer.x);
  const session::Playhead& at = scale.ticks[tick].at;
  if (ImGui::IsItemActive() && ImGui::IsMouseDown(ImGuiMouseButton_Left)) {
    const session::Playhead target = scale.nearestPass(area.pointer.x);
    if (target != view.replay.playhead())
      view.commands.push_back(session::GoToRound{target.launch, target.round, target.pass});
    return;
  }
  if (!area.hovered || std::abs(area.pointer.x - scale.ticks[tick].x) > view.px(kReach)) return;
  if (comingRound(view.replay, at.launch, at.round) != nullptr) return;  // of which there is nothing to tell
  const session::Hover hover{session::HoverKind::Round, at.round, at.launch};
  if (view.replay.hover() != hover) view.commands.push_back(session::PointAt{hover});
}

}  // namespace

void drawScrubBar(ViewContext& view, ImDrawList& list, ImVec2 min, ImVec2 max) {
  if (!view.replay.run()) return;
  const ScrubScale scale = layOutScrubBar(passesOf(view.replay), max.x - min.x, view.px(kScrubLaunchGap));
  if (scale.ticks.empty()) return;
  takePointer(view, min, max, scale);
  std::size_t current = 0;
  for (std::size_t i = 0; i < scale.ticks.size(); ++i)
    if (scale.ticks[i].at == roundOf(view.replay.playhead())) current = i;
  const ScrubPainter painter{{view, list, min, max, scale, current, view.replay.playhead().pass}};
  if (painter.tellsCycles()) painter.cycleBars();
  painter.drawLine();
  painter.ticks();
  painter.labels();
}

}  // namespace stridescope::views
