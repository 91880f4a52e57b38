#include "views/chrome/scrub_track.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "draw/metrics.h"

namespace stridescope::views {
namespace {

constexpr float kTickLabelHeight = 18, kReach = 10, kBarHeight = 17, kBarBase = 8,
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
  const float full = view.px(kBarHeight), base = std::round(y() - view.px(kBarBase));
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
  draw::drawTextAt(view.draw, track_.list, {left, top}, text, style);
}

void ScrubLabels::placeLaunches(float gap) {
  const ViewContext& view = track_.view;
  const draw::TextStyle words = draw::wordsStyle(view.draw, draw::kLabelSize, view.colours().dim);
  for (const ScrubBoundary& boundary : track_.scale.boundaries)
    place(track_.min.x + boundary.x, "launch " + std::to_string(boundary.launch), words, gap);
}

}  // namespace stridescope::views
