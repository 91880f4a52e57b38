#include "views/chrome/scrub_bar.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "draw/marks.h"
#include "draw/metrics.h"
#include "narration/round_kind.h"
#include "narration/wording.h"
#include "views/shared/shown_cycles.h"
#include "views/shared/shown_round.h"
#include "views/shared/trouble_marks.h"

namespace stridescope::views {
namespace {

constexpr float kTickLabelHeight = 18, kReach = 10, kLaunchGap = 64, kMinTickStep = 6, kMinPassStep = 4,
                kElementGap = 32,  // units
    kCycleBarWidth = 22, kCycleBarHeight = 17, kCycleBarBase = 8, kRoomForLegend = 700;

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

struct ScrubPainter {
  ViewContext& view;
  ImDrawList& list;
  ImVec2 min, max;
  const ScrubScale& scale;
  std::size_t current;

  float x(std::size_t tick) const { return min.x + scale.ticks[tick].x; }
  float x(std::size_t tick, unsigned pass) const { return min.x + scale.ticks[tick].xOf(pass); }
  float playheadX() const { return x(current, view.replay.playhead().pass); }
  float y() const { return min.y + view.px(draw::kTransportButtonHeight) / 2; }
  float labelTop() const { return min.y + view.px(draw::kTransportButtonHeight) - view.px(2); }

  void track() const {
    const draw::Palette& colours = view.colours();
    list.AddRectFilled({min.x, y() - view.px(1)}, {max.x, y() + view.px(1)}, colours.line);
    list.AddRectFilled({min.x, y() - view.px(2)}, {playheadX(), y() + view.px(2)}, colours.result);
  }

  // The bar is cut between launches, and a rule stands in the cut.
  void boundaries() const {
    const draw::Palette& colours = view.colours();
    for (const ScrubBoundary& boundary : scale.boundaries) {
      const float at = min.x + boundary.x, half = view.px(7);
      list.AddRectFilled({at - half, y() - view.px(3)}, {at + half, y() + view.px(3)}, colours.panel);
      list.AddRectFilled({at - view.px(1), y() - view.px(12)}, {at + view.px(1), y() + view.px(12)},
                         colours.dim);
    }
  }

  // Of a round of several passes: small ticks up to the next round, as many as have room.
  void passes(std::size_t tick) const {
    const unsigned count = scale.ticks[tick].passes;
    float drawn = x(tick);
    for (unsigned pass = 1; pass < count; ++pass) {
      const float middle = x(tick, pass);
      if (middle < drawn + view.px(kMinPassStep)) continue;
      drawn = middle;
      const bool past = tick < current || (tick == current && pass <= view.replay.playhead().pass);
      list.AddRectFilled({middle - view.px(0.5f), y() - view.px(4)},
                         {middle + view.px(0.5f), y() + view.px(4)},
                         past ? view.colours().text : view.colours().dim);
    }
  }

  void ticks() const {
    const draw::Palette& colours = view.colours();
    const auto hover = view.replay.hover();
    float drawn = -1e9f;  // of hundreds of rounds some have a tick
    for (std::size_t i = 0; i < scale.ticks.size(); ++i) {
      const ImVec2 from{x(i) - view.px(1), y() - view.px(7)}, to{x(i) + view.px(1), y() + view.px(7)};
      passes(i);
      if (from.x >= drawn + view.px(kMinTickStep)) {
        list.AddRectFilled(from, to, i <= current ? colours.text : colours.dim);
        drawn = from.x;
      }
      const session::Playhead& at = scale.ticks[i].at;
      if (hover == session::Hover{session::HoverKind::Round, at.round, at.launch})
        draw::drawHoverRing(view.draw, list, {from.x - view.px(4), from.y - view.px(3)},
                            {to.x + view.px(4), to.y + view.px(3)});
    }
    crosses();
    const bool hidden = view.replay.hidden() != nullptr;
    list.AddCircleFilled({playheadX(), y()}, view.px(9), hidden ? colours.panel : colours.result);
    if (hidden) list.AddCircle({playheadX(), y()}, view.px(8), colours.result, 0, view.px(2));
    if (view.draw.theme == draw::Theme::Light)
      list.AddCircle({playheadX(), y()}, view.px(9), colours.ink, 0, view.px(1.5f));
  }

  // On each round's tick what it cost in cycles, on one scale for all variants at this block size, so that
  // they can be compared; a costlier round's bar is cut. Outlined, as all that is recorded is. Where rounds
  // stand too close, of some.
  void cycleBars() const {
    const draw::Palette& colours = view.colours();
    const float half = view.px(kCycleBarWidth) / 2, full = view.px(kCycleBarHeight);
    const float perCycle = full / cyclesOfFullBar(view.replay.launch().block);
    const float base = std::round(y() - view.px(kCycleBarBase));
    float drawn = -1e9f;
    for (std::size_t i = 0; i < scale.ticks.size(); ++i) {
      const session::Playhead& at = scale.ticks[i].at;
      const analysis::Cycles* const cycles = cyclesAlone(view.replay, at.launch, at.round);
      if (cycles == nullptr || (x(i) - half < drawn + view.px(2) && i != current)) continue;
      drawn = x(i) + half;
      const float height = perCycle * float(cycles->median);
      const ImVec2 from{x(i) - half, std::round(base - std::min(height, full))}, to{x(i) + half, base};
      list.AddRectFilled(from, to, colours.raised);
      list.AddRect(from, to, i == current ? colours.result : colours.dim, 0, 0, view.px(1.5f));
      if (height > full)
        list.AddLine({from.x - view.px(2), from.y + view.px(9)}, {to.x + view.px(2), from.y + view.px(4)},
                     colours.panel, view.px(3));
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

  struct Extent {
    float left = 0, right = 0;
    bool touches(const Extent& other, float gap) const {
      return left < other.right + gap && right + gap > other.left;
    }
  };
  Extent extentOf(float middle, const std::string& text, const draw::TextStyle& style) const {
    const float width = draw::textSize(style, text).x;
    const float left =
        std::clamp(middle - width / 2, min.x - view.px(kReach), max.x + view.px(kReach) - width);
    return {std::round(left), std::round(left) + width};
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
    return cycles == nullptr || view.app.isPresenting()
               ? ""
               : " · " + narration::count(cycles->median, "cycle") +
                     (max.x - min.x < view.px(kRoomForLegend) ? ", recorded" : "");
  }

  // The current tick and the last are always named, then the launches, then whatever else has room.
  void labels() const {
    const draw::TextStyle dim = draw::codeStyle(view.draw, draw::kLabelSize, view.colours().dim);
    const draw::TextStyle words = draw::wordsStyle(view.draw, draw::kLabelSize, view.colours().dim);
    const draw::TextStyle strong = draw::codeBoldStyle(view.draw, draw::kLabelSize, view.colours().text);
    std::vector<Extent> taken;
    const auto place = [&](float middle, const std::string& text, const draw::TextStyle& style,
                           float gap = 4) {
      const Extent extent = extentOf(middle, text, style);
      for (const Extent& other : taken)
        if (extent.touches(other, view.px(gap))) return;
      taken.push_back(extent);
      draw::drawTextAt(view.draw, list, {extent.left, labelTop()}, text, style);
    };
    // Where the playhead stands in a pass that has a name of its own, such as a stride, that is told.
    const std::string shown =
        view.replay.hidden() ? view.replay.hidden()->tick : tickOf(view.replay, view.replay.playhead().round);
    const bool ofPass = shown != labelOf(view.replay, scale.ticks[current].at);
    if (ofPass) place(playheadX(), shown, strong);
    const auto tick = [&](std::size_t i) {
      // Of a merge the shown round says which element it serves: a number alone is read as one.
      const auto element = i == current ? elementOf(i) : std::nullopt;
      const std::string of = element ? "element " + figure(*element + 1) + ": " : std::string();
      place(x(i), of + labelOf(view.replay, scale.ticks[i].at) + (i == current ? cost(i) : ""),
            i == current && !ofPass ? strong : dim);
    };
    tick(current);
    if (current + 1 != scale.ticks.size()) tick(scale.ticks.size() - 1);
    for (const ScrubBoundary& boundary : scale.boundaries)
      place(min.x + boundary.x, "launch " + std::to_string(boundary.launch), words);
    for (std::size_t i = 0; i + 1 < scale.ticks.size(); ++i) {
      const auto element = elementOf(i);
      if (!element && i != current) tick(i);
      // A merge's rounds are grouped by the element that they serve.
      if (element && (i == 0 || elementOf(i - 1) != element))
        place(x(i), "element " + figure(*element + 1), words, kElementGap);
    }
  }
};

void takePointer(ViewContext& view, ImVec2 min, ImVec2 max, const ScrubScale& scale) {
  const float reach = view.px(kReach);
  const HitArea area =
      hitArea("scrub bar", {min.x - reach, min.y - view.px(4)},
              {max.x + reach, min.y + view.px(draw::kTransportButtonHeight + kTickLabelHeight)});
  const std::size_t tick = scale.nearest(area.pointer.x - reach);
  const session::Playhead& at = scale.ticks[tick].at;
  if (ImGui::IsItemActive() && ImGui::IsMouseDown(ImGuiMouseButton_Left)) {
    const session::Playhead target = scale.nearestPass(area.pointer.x - reach);
    if (target != view.replay.playhead())
      view.commands.push_back(session::GoToRound{target.launch, target.round, target.pass});
    return;
  }
  if (!area.hovered || std::abs(area.pointer.x - reach - scale.ticks[tick].x) > reach) return;
  if (comingRound(view.replay, at.launch, at.round) != nullptr) return;  // of which there is nothing to tell
  const session::Hover hover{session::HoverKind::Round, at.round, at.launch};
  if (view.replay.hover() != hover) view.commands.push_back(session::PointAt{hover});
}

}  // namespace

// A round in shared memory takes 110 to 400 cycles with up to 256 threads, and up to 650 with 1024 (NVIDIA
// H100 80GB HBM3).
float cyclesOfFullBar(unsigned threads) { return 400.0f * std::max(1.0f, float(threads) / 512); }

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
  constexpr unsigned kMaxSteps = 4;  // of one round
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

void drawScrubBar(ViewContext& view, ImDrawList& list, ImVec2 min, ImVec2 max) {
  if (!view.replay.run()) return;
  const ScrubScale scale = layOutScrubBar(passesOf(view.replay), max.x - min.x, view.px(kLaunchGap));
  if (scale.ticks.empty()) return;
  takePointer(view, min, max, scale);
  std::size_t current = 0;
  for (std::size_t i = 0; i < scale.ticks.size(); ++i)
    if (scale.ticks[i].at == roundOf(view.replay.playhead())) current = i;
  const ScrubPainter painter{view, list, min, max, scale, current};
  if (!view.app.isPresenting()) painter.cycleBars();  // whose legend has no room there
  painter.track();
  painter.boundaries();
  painter.ticks();
  painter.labels();
}

}  // namespace stridescope::views
