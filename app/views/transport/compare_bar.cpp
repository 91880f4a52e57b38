#include "views/transport/compare_bar.h"

#include <algorithm>
#include <memory>

#include "narration/compared.h"
#include "session/comparison.h"
#include "views/forms/experiment_fields.h"
#include "views/shared/shown_round.h"
#include "views/transport/scrub_bar.h"

namespace stridescope::views {
namespace {

using analysis::LockedBy;

bool isComparing(const session::Parts& parts) { return parts.comparison != nullptr; }
std::string notComparing(const session::Parts&) {
  return "Two runs are compared in the Compare mode: press C.";
}

}  // namespace

std::vector<CommandEntry> compareEntries() {
  return {
      {.menu = "View",
       .name = "Compare with the one before",
       .also = "previous variant rung side by side diff",
       .keys = ImGuiMod_Shift | ImGuiKey_C,
       .make = gives(session::CompareWithPrevious{})},
      {.menu = "Compare",
       .name = "Choose the other side",
       .also = "compare left right",
       .keys = ImGuiKey_O,
       .make = [](const session::Parts& parts) -> session::Command {
         return session::ChooseSide{analysis::otherOf(parts.comparison->chosen())};
       },
       .enabled = isComparing,
       .why = notComparing},
      {.menu = "Compare",
       .name = "Swap the sides",
       .also = "compare left right exchange",
       .keys = ImGuiKey_X,
       .make = gives(session::SwapSides{}),
       .enabled = isComparing,
       .why = notComparing},
      {.menu = "Compare",
       .name = "Set both sides together",
       .also = "compare apart fields",
       .make = [](const session::Parts& parts) -> session::Command {
         return session::ChooseTogether{!parts.comparison->together()};
       },
       .enabled = isComparing,
       .why = notComparing,
       .checked =
           [](const session::Parts& parts) { return isComparing(parts) && parts.comparison->together(); }},
      {.menu = "Compare",
       .name = "Lock by stride",
       .also = "compare sides side by side",
       .keys = ImGuiKey_K,
       .make = [](const session::Parts& parts) -> session::Command {
         const bool byRound = parts.comparison->lockedBy() == LockedBy::Round;
         return session::LockSides{byRound ? LockedBy::Stride : LockedBy::Round};
       },
       .enabled = isComparing,
       .why = notComparing,
       .checked =
           [](const session::Parts& parts) {
             return isComparing(parts) && parts.comparison->lockedBy() == LockedBy::Stride;
           }},
  };
}

namespace {

using analysis::Side;

BarField variantField(ViewContext& view, Side side) {
  const ExperimentField& variant = experimentFields().front();
  return {.label = std::string(analysis::nameOf(side)) + " " + variant.label(),
          .width = variant.width,
          .shown = variant.shown(partsOf(view, side)),
          .entries =
              [&view, &variant, side] {
                session::Commands chosen;
                ViewContext own{partsOf(view, side), view.draw,  chosen,      view.linked,
                                view.trouble,        view.times, view.panels, view.explanations};
                variant.entries(own);
                for (const session::Command& command : chosen)
                  view.commands.push_back(
                      session::OnSide{side, std::make_shared<const session::Command>(command)});
              },
          .givesWayLast = true};
}

BarField lockField(ViewContext& view) {
  const LockedBy by = view.comparison->lockedBy();
  return {
      .label = "locked by", .width = 90, .shown = std::string(analysis::nameOf(by)), .entries = [&view, by] {
        for (const LockedBy each : analysis::kLockedBy)
          if (ImGui::Selectable(std::string(analysis::nameOf(each)).c_str(), each == by))
            view.commands.push_back(session::LockSides{each});
      }};
}

BarField scopeField(ViewContext& view) {
  const session::Comparison& both = *view.comparison;
  const std::string side(analysis::nameOf(both.chosen()));
  return {.label = "set for",
          .width = 90,
          .shown = both.together() ? "both sides" : side,
          .entries = [&view, &both] {
            if (ImGui::Selectable("both sides", both.together()))
              view.commands.push_back(session::ChooseTogether{true});
            for (const Side each : analysis::kSides) {
              const bool chosen = !both.together() && both.chosen() == each;
              if (!ImGui::Selectable(std::string(analysis::nameOf(each)).c_str(), chosen)) continue;
              view.commands.push_back(session::ChooseTogether{false});
              view.commands.push_back(session::ChooseSide{each});
            }
          }};
}

// "256", "256 | 128" where the sides differ.
BarField sharedField(ViewContext& view, const ExperimentField& field) {
  const std::string left = field.shown(partsOf(view, Side::Left));
  const std::string right = field.shown(partsOf(view, Side::Right));
  return {.label = field.label(),
          .width = field.width,
          .shown = left == right ? left : left + " | " + right,
          .borrowed = field.chosen(view),
          .entries = [&view, &field] { field.entries(view); },
          .isTyped = field.isTyped,
          .givesWayLast = field.givesWayLast};
}

}  // namespace

std::vector<BarField> comparedBarFields(ViewContext& view) {
  std::vector<BarField> fields{variantField(view, Side::Left), variantField(view, Side::Right),
                               lockField(view), scopeField(view)};
  // Persons' own kernels are launched as their launch files say.
  const auto isOwn = [&](Side side) {
    return model::isKernelFile(view.comparison->workspace(side).experiment().variant);
  };
  if (isOwn(Side::Left) && isOwn(Side::Right)) {
    fields.pop_back();
    return fields;
  }
  const auto standsIn = [&](const ExperimentField& field, Side side) {
    return field.standsIn(view.comparison->workspace(side).experiment());
  };
  for (const ExperimentField& field : experimentFields().subspan(1))
    if (standsIn(field, Side::Left) || standsIn(field, Side::Right))
      fields.push_back(sharedField(view, field));
  return fields;
}

namespace {

using analysis::LockedRound;
using session::Comparison;

constexpr float kBarWidth = 10;  // units

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
    const draw::TextStyle dim = view.code(view.colours().dim);
    const draw::TextStyle strong = view.codeBold(view.colours().text);
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
