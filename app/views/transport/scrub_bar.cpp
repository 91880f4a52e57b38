#include "views/transport/scrub_bar.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "draw/draw_context.h"
#include "draw/marks.h"
#include "narration/round_kind.h"
#include "narration/wording.h"
#include "views/shared/linked_highlight.h"
#include "views/shared/shown_round.h"

namespace stridescope::views {
namespace {

// Units.
constexpr float kTickReach = 10, kMinPassStep = 4, kElementGap = 32, kCycleBarWidth = 22,
                kRoomForLegend = 700;

std::vector<std::vector<unsigned>> passesOf(const session::Replay& replay) {
  std::vector<std::vector<unsigned>> passes;
  for (const analysis::LaunchAnalysis& launch : replay.run()->analysis.launches) {
    auto& own = passes.emplace_back();
    for (const analysis::Round& round : launch.rounds) own.push_back(round.passes);
  }
  for (const lab::RoundName& coming : replay.run()->toCome)
    if (coming.round >= passes[coming.launch].size()) passes[coming.launch].push_back(1);
  return passes;
}

session::Playhead roundOf(const session::Playhead& at) { return {at.launch, at.round}; }

std::string labelOf(const session::Replay& replay, const session::Playhead& at) {
  if (const lab::RoundName* const coming = comingRound(replay, at.launch, at.round)) return coming->tick;
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
    const draw::TextStyle dim = view.code(view.colours().dim);
    const draw::TextStyle words = view.words(view.colours().dim);
    const draw::TextStyle strong = view.codeBold(view.colours().text);
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
  if (!area.hovered || std::abs(area.pointer.x - scale.ticks[tick].x) > view.px(kTickReach)) return;
  if (comingRound(view.replay, at.launch, at.round) != nullptr) return;  // of which there is nothing to tell
  hoverOver(view, {session::HoverKind::Round, at.round, at.launch});
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

namespace {

constexpr float kTickLabelHeight = 18, kReach = 10, kCycleBarHeight = 17, kCycleBarBase = 8,
                kRoomForCycles = 160;  // units

// A round in shared memory takes 110 to 400 cycles with up to 256 threads, and up to 650 with 1024 (NVIDIA
// H100 80GB HBM3).
float cyclesOfFullBar(unsigned threads) { return 400.0f * std::max(1.0f, float(threads) / 512); }

}  // namespace

std::size_t ScrubScale::nearest(float x) const {
  const auto found =
      std::ranges::min_element(ticks, {}, [x](const ScrubTick& tick) { return std::abs(tick.x - x); });
  return std::size_t(found - ticks.begin());
}

session::Playhead ScrubScale::nearestPass(float x) const {
  session::Playhead nearest;
  float least = std::numeric_limits<float>::max();
  for (const ScrubTick& tick : ticks) {
    const float part = tick.span > 0 ? (x - tick.x) / tick.span * float(tick.passes) : 0;
    const auto pass = unsigned(std::clamp(std::round(part), 0.0f, float(tick.passes - 1)));
    const float distance = std::abs(tick.xOf(pass) - x);
    if (distance >= least) continue;
    least = distance;
    nearest = {tick.at.launch, tick.at.round, pass};
  }
  return nearest;
}

ScrubScale layOutScrubBar(const std::vector<std::vector<unsigned>>& passes, float width, float gap) {
  constexpr unsigned kMaxSteps = 4;  // per round
  const auto stepsOf = [=](unsigned count) { return std::min(count, kMaxSteps); };
  ScrubScale scale;
  unsigned steps = 0, launches = 0;
  for (const std::vector<unsigned>& rounds : passes) {
    if (rounds.empty()) continue;
    ++launches;
    for (const unsigned count : rounds) steps += stepsOf(count);
    if (rounds.back() == 1) --steps;  // nothing stands behind a launch's last tick
  }
  const unsigned cuts = launches > 0 ? launches - 1 : 0;
  if (cuts > 0) gap = std::min(gap, width / 4 / float(cuts));
  // Between two ticks of a launch there is a step or more, between launches a gap.
  const float step = steps == 0 ? 0 : (width - gap * float(cuts)) / float(steps);
  float x = 0;
  for (unsigned launch = 0; launch < passes.size(); ++launch)
    for (unsigned round = 0; round < passes[launch].size(); ++round) {
      const unsigned count = passes[launch][round];
      if (!scale.ticks.empty() && round == 0) {
        scale.boundaries.push_back({std::round(x + gap / 2), launch});
        x += gap;
      }
      const bool last = round + 1 == passes[launch].size();
      const float span = last && count == 1 ? 0 : step * float(stepsOf(count));
      scale.ticks.push_back({{launch, round}, std::round(x), count, span});
      x += span;
    }
  return scale;
}

HitArea scrubArea(const ViewContext& view, ImVec2 min, ImVec2 max) {
  const float reach = view.px(kReach);
  HitArea area = hitArea("scrub bar", {min.x - reach, min.y - view.px(4)},
                         {max.x + reach, min.y + view.px(draw::kTransportButtonHeight + kTickLabelHeight)});
  area.pointer.x -= reach;
  return area;
}

float ScrubTrack::y() const { return min.y + view.px(draw::kTransportButtonHeight) / 2; }

bool ScrubTrack::tellsCycles() const {
  return !view.app.isPresenting() && max.x - min.x >= view.px(kRoomForCycles);
}

void ScrubTrack::drawLine() const {
  const draw::Palette& colours = view.colours();
  list.AddRectFilled({min.x, y() - view.px(1)}, {max.x, y() + view.px(1)}, colours.line);
  list.AddRectFilled({min.x, y() - view.px(2)}, {playheadX(), y() + view.px(2)}, colours.result);
  for (const ScrubBoundary& boundary : scale.boundaries) {
    const float at = min.x + boundary.x, half = view.px(7);
    list.AddRectFilled({at - half, y() - view.px(3)}, {at + half, y() + view.px(3)}, colours.panel);
    list.AddRectFilled({at - view.px(1), y() - view.px(12)}, {at + view.px(1), y() + view.px(12)},
                       colours.dim);
  }
}

void ScrubTrack::drawTick(std::size_t tick) const {
  list.AddRectFilled({x(tick) - view.px(1), y() - view.px(7)}, {x(tick) + view.px(1), y() + view.px(7)},
                     tick <= current ? view.colours().text : view.colours().dim);
}

void ScrubTrack::drawKnob(bool hollow) const {
  const draw::Palette& colours = view.colours();
  list.AddCircleFilled({playheadX(), y()}, view.px(9), hollow ? colours.panel : colours.result);
  if (hollow) list.AddCircle({playheadX(), y()}, view.px(8), colours.result, 0, view.px(2));
  if (view.draw.theme == draw::Theme::Light)
    list.AddCircle({playheadX(), y()}, view.px(9), colours.ink, 0, view.px(1.5f));
}

void ScrubTrack::drawCycles(float left, float right, double cycles, unsigned threads, bool strong) const {
  const draw::Palette& colours = view.colours();
  const float full = view.px(kCycleBarHeight), base = std::round(y() - view.px(kCycleBarBase));
  const float height = full * float(cycles) / cyclesOfFullBar(threads);
  const ImVec2 from{left, std::round(base - std::min(height, full))}, to{right, base};
  list.AddRectFilled(from, to, colours.raised);
  list.AddRect(from, to, strong ? colours.result : colours.dim, 0, 0, view.px(1.5f));
  if (height > full)
    list.AddLine({from.x - view.px(1), from.y + view.px(9)}, {to.x + view.px(1), from.y + view.px(4)},
                 colours.panel, view.px(3));
}

void ScrubLabels::place(float middle, const std::string& text, const draw::TextStyle& style, float gap) {
  const ViewContext& view = track_.view;
  const float width = draw::textSize(style, text).x, apart = view.px(gap);
  const float left = std::round(
      std::clamp(middle - width / 2, track_.min.x - view.px(kReach), track_.max.x + view.px(kReach) - width));
  for (const auto& [from, to] : taken_)
    if (left < to + apart && left + width + apart > from) return;
  taken_.emplace_back(left, left + width);
  const float top = track_.min.y + view.px(draw::kTransportButtonHeight - 2);
  view.textAt(track_.list, {left, top}, text, style);
}

void ScrubLabels::placeLaunches(float gap) {
  const ViewContext& view = track_.view;
  const draw::TextStyle words = view.words(view.colours().dim);
  for (const ScrubBoundary& boundary : track_.scale.boundaries)
    place(track_.min.x + boundary.x, "launch " + std::to_string(boundary.launch), words, gap);
}

}  // namespace stridescope::views
