#include "views/chrome/compare_scrub.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "draw/marks.h"
#include "draw/metrics.h"
#include "narration/compared_caption.h"
#include "session/comparison.h"
#include "views/chrome/scrub_bar.h"
#include "views/shared/shown_cycles.h"
#include "views/shared/shown_round.h"

namespace stridescope::views {
namespace {

using analysis::LockedRound;
using analysis::Side;
using session::Comparison;

// Units.
constexpr float kLaunchGap = 64, kReach = 10, kMinTickStep = 6, kTickLabelHeight = 18, kBarWidth = 10,
                kBarHeight = 17, kBarBase = 8;

std::vector<std::vector<unsigned>> passesOf(const Comparison& both) {
  std::vector<std::vector<unsigned>> passes;
  for (std::size_t place = 0; place < both.places().size(); ++place) {
    const std::size_t launch = both.places()[place].launch;
    if (passes.size() <= launch) passes.resize(launch + 1);
    passes[launch].push_back(both.passes(place));
  }
  return passes;
}

std::string labelOf(const Comparison& both, std::size_t place) {
  const LockedRound& at = both.places()[place];
  std::optional<narration::RoundAt> left, right;
  if (at.round.left) left.emplace(roundAt(both.replay(Side::Left), at.launch, *at.round.left));
  if (at.round.right) right.emplace(roundAt(both.replay(Side::Right), at.launch, *at.round.right));
  return narration::tickOf({left ? &*left : nullptr, right ? &*right : nullptr});
}

struct ComparedScrubPainter {
  ViewContext& view;
  ImDrawList& list;
  ImVec2 min, max;
  const ScrubScale& scale;
  const Comparison& both;

  std::size_t current() const { return both.place(); }
  float x(std::size_t tick) const { return min.x + scale.ticks[tick].x; }
  float playheadX() const { return min.x + scale.ticks[current()].xOf(both.pass()); }
  float y() const { return min.y + view.px(draw::kTransportButtonHeight) / 2; }

  void track() const {
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

  // What the round of each side costs in cycles, side by side, on the scale of one run's bars; a costlier
  // round's bar is cut.
  void cycleBars() const {
    const draw::Palette& colours = view.colours();
    unsigned threads = 0;
    for (const Side side : analysis::kSides) threads = std::max(threads, both.replay(side).launch().block);
    const float width = view.px(kBarWidth), full = view.px(kBarHeight),
                base = std::round(y() - view.px(kBarBase));
    float drawn = -1e9f;
    for (std::size_t i = 0; i < scale.ticks.size(); ++i) {
      if (x(i) - width < drawn + view.px(2) && i != current()) continue;
      const LockedRound& at = both.places()[i];
      for (const Side side : analysis::kSides) {
        const analysis::Cycles* const cycles =
            at.round[side] ? cyclesAlone(both.replay(side), at.launch, *at.round[side]) : nullptr;
        if (cycles == nullptr) continue;
        drawn = x(i) + width;
        const float height = full * float(cycles->median) / cyclesOfFullBar(threads);
        const float left = side == Side::Left ? x(i) - width : x(i) + view.px(1);
        const ImVec2 from{left, std::round(base - std::min(height, full))},
            to{left + width - view.px(1), base};
        list.AddRectFilled(from, to, colours.raised);
        list.AddRect(from, to, i == current() ? colours.result : colours.dim, 0, 0, view.px(1.5f));
        if (height > full)
          list.AddLine({from.x - view.px(1), from.y + view.px(8)}, {to.x + view.px(1), from.y + view.px(5)},
                       colours.panel, view.px(3));
      }
    }
  }

  void ticks() const {
    const draw::Palette& colours = view.colours();
    float drawn = -1e9f;  // of hundreds some have a tick
    for (std::size_t i = 0; i < scale.ticks.size(); ++i) {
      if (x(i) < drawn + view.px(kMinTickStep)) continue;
      drawn = x(i);
      list.AddRectFilled({x(i) - view.px(1), y() - view.px(7)}, {x(i) + view.px(1), y() + view.px(7)},
                         i <= current() ? colours.text : colours.dim);
    }
    list.AddCircleFilled({playheadX(), y()}, view.px(9), colours.result);
    if (view.draw.theme == draw::Theme::Light)
      list.AddCircle({playheadX(), y()}, view.px(9), colours.ink, 0, view.px(1.5f));
  }

  // The current one and the last are always named, then whatever has room.
  void labels() const {
    const draw::TextStyle dim = draw::codeStyle(view.draw, draw::kLabelSize, view.colours().dim);
    const draw::TextStyle strong = draw::codeBoldStyle(view.draw, draw::kLabelSize, view.colours().text);
    const float top = min.y + view.px(draw::kTransportButtonHeight) - view.px(2);
    std::vector<std::pair<float, float>> taken;
    const auto place = [&](float middle, const std::string& text, const draw::TextStyle& style) {
      const float width = draw::textSize(style, text).x;
      const float left = std::round(
          std::clamp(middle - width / 2, min.x - view.px(kReach), max.x + view.px(kReach) - width));
      for (const auto& [from, to] : taken)
        if (left < to + view.px(10) && left + width + view.px(10) > from) return;
      taken.emplace_back(left, left + width);
      draw::drawTextAt(view.draw, list, {left, top}, text, style);
    };
    place(playheadX(), labelOf(both, current()), strong);
    const std::size_t last = scale.ticks.size() - 1;
    if (current() != last) place(x(last), labelOf(both, last), dim);
    for (const ScrubBoundary& boundary : scale.boundaries)
      place(min.x + boundary.x, "launch " + std::to_string(boundary.launch),
            draw::wordsStyle(view.draw, draw::kLabelSize, view.colours().dim));
    float tried = -1e9f;  // of thousands some are tried
    for (std::size_t i = 0; i < last; ++i)
      if (i != current() && x(i) >= tried + view.px(kMinTickStep)) {
        tried = x(i);
        place(x(i), labelOf(both, i), dim);
      }
  }
};

// Of the side that has a round there.
session::Command goTo(const Comparison& both, std::size_t place, unsigned pass) {
  const LockedRound& at = both.places()[place];
  const Side side = at.round.left ? Side::Left : Side::Right;
  return session::OnSide{
      side, std::make_shared<const session::Command>(session::GoToRound{at.launch, *at.round[side], pass})};
}

void takePointer(ViewContext& view, const Comparison& both, ImVec2 min, ImVec2 max, const ScrubScale& scale) {
  const float reach = view.px(kReach);
  const HitArea area =
      hitArea("scrub bar", {min.x - reach, min.y - view.px(4)},
              {max.x + reach, min.y + view.px(draw::kTransportButtonHeight + kTickLabelHeight)});
  if (!ImGui::IsItemActive() || !ImGui::IsMouseDown(ImGuiMouseButton_Left)) return;
  const session::Playhead target = scale.nearestPass(area.pointer.x - reach);
  const auto found = std::ranges::find_if(scale.ticks, [&](const ScrubTick& tick) {
    return tick.at.launch == target.launch && tick.at.round == target.round;
  });
  const auto place = std::size_t(found - scale.ticks.begin());
  if (place != both.place() || target.pass != both.pass())
    view.commands.push_back(goTo(both, place, target.pass));
}

}  // namespace

void drawComparedScrubBar(ViewContext& view, ImDrawList& list, ImVec2 min, ImVec2 max) {
  const Comparison& both = *view.comparison;
  if (both.places().empty()) return;
  const ScrubScale scale = layOutScrubBar(passesOf(both), max.x - min.x, view.px(kLaunchGap));
  takePointer(view, both, min, max, scale);
  const ComparedScrubPainter painter{view, list, min, max, scale, both};
  painter.cycleBars();
  painter.track();
  painter.ticks();
  painter.labels();
}

}  // namespace stridescope::views
