#include "views/chrome/compare_scrub.h"

#include <algorithm>
#include <memory>

#include "narration/compared_caption.h"
#include "session/comparison.h"
#include "views/chrome/scrub_track.h"
#include "views/shared/shown_cycles.h"
#include "views/shared/shown_round.h"

namespace stridescope::views {
namespace {

using analysis::LockedRound;
using analysis::Side;
using session::Comparison;

constexpr float kMinTickStep = 6, kBarWidth = 10;  // units

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

struct ComparedScrubPainter : ScrubTrack {
  const Comparison& both;

  // What the round of each side costs in cycles, side by side.
  void cycleBars() const {
    unsigned threads = 0;
    for (const Side side : analysis::kSides) threads = std::max(threads, both.replay(side).launch().block);
    const float width = view.px(kBarWidth);
    float drawn = -1e9f;
    for (std::size_t i = 0; i < scale.ticks.size(); ++i) {
      if (x(i) - width < drawn + view.px(2) && i != current) continue;
      const LockedRound& at = both.places()[i];
      for (const Side side : analysis::kSides) {
        const analysis::Cycles* const cycles =
            at.round[side] ? cyclesAlone(both.replay(side), at.launch, *at.round[side]) : nullptr;
        if (cycles == nullptr) continue;
        drawn = x(i) + width;
        const float left = side == Side::Left ? x(i) - width : x(i) + view.px(1);
        drawCycles(left, left + width - view.px(1), double(cycles->median), threads, i == current);
      }
    }
  }

  // The current one and the last are always named, then whatever has room.
  void labels() const {
    constexpr float kGap = 10;
    const draw::TextStyle dim = draw::codeStyle(view.draw, draw::kLabelSize, view.colours().dim);
    const draw::TextStyle strong = draw::codeBoldStyle(view.draw, draw::kLabelSize, view.colours().text);
    ScrubLabels names(*this);
    names.place(playheadX(), labelOf(both, current), strong, kGap);
    const std::size_t last = scale.ticks.size() - 1;
    if (current != last) names.place(x(last), labelOf(both, last), dim, kGap);
    names.placeLaunches(kGap);
    forEachApart(kMinTickStep, [&](std::size_t i) {
      if (i != current && i != last) names.place(x(i), labelOf(both, i), dim, kGap);
    });
  }
};

// Goes there on the side that has a round there.
session::Command goTo(const Comparison& both, std::size_t place, unsigned pass) {
  const LockedRound& at = both.places()[place];
  const Side side = at.round.left ? Side::Left : Side::Right;
  return session::OnSide{
      side, std::make_shared<const session::Command>(session::GoToRound{at.launch, *at.round[side], pass})};
}

void takePointer(ViewContext& view, const Comparison& both, ImVec2 min, ImVec2 max, const ScrubScale& scale) {
  const HitArea area = scrubArea(view, min, max);
  if (!ImGui::IsItemActive() || !ImGui::IsMouseDown(ImGuiMouseButton_Left)) return;
  const session::Playhead target = scale.nearestPass(area.pointer.x);
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
  const ScrubScale scale = layOutScrubBar(passesOf(both), max.x - min.x, view.px(kScrubLaunchGap));
  takePointer(view, both, min, max, scale);
  const ComparedScrubPainter painter{{view, list, min, max, scale, both.place(), both.pass()}, both};
  if (painter.tellsCycles()) painter.cycleBars();
  painter.drawLine();
  painter.forEachApart(kMinTickStep, [&](std::size_t i) { painter.drawTick(i); });
  painter.drawKnob();
  painter.labels();
}

}  // namespace stridescope::views
