#include "views/compare/side_commands.h"

#include <memory>
#include <variant>

#include "views/shared/memory_stage.h"

namespace stridescope::views {
namespace {

using analysis::Side;
using session::Hover;
using session::HoverKind;

// The lowest thread that reads the element or leaves its result there.
std::optional<Hover> threadAt(const session::Replay& replay, std::uint64_t element) {
  const MemoryStage stage(replay.launch(), replay.launchAnalysis());
  for (const analysis::ThreadWork& work : replay.flow().work)
    for (const auto& operand : {work.a, work.b, work.result})
      if (stage.holds(operand) && stage.placeOf(*operand) == element)
        return session::hoverThread(work.thread);
  return std::nullopt;
}

std::optional<Hover> roundBeside(const session::Comparison& comparison, Side side, const Hover& hover) {
  for (const analysis::LockedRound& place : comparison.places())
    if (place.launch == hover.launch && place.round[side] == hover.index) {
      const auto& other = place.round[analysis::otherOf(side)];
      return other ? std::optional(Hover{HoverKind::Round, *other, place.launch}) : std::nullopt;
    }
  return std::nullopt;
}

session::PointAtSides pointed(const session::Comparison& comparison, Side side,
                              const std::optional<Hover>& hover, bool pin) {
  session::PointAtSides request{.hover = {}, .pin = pin};
  request.hover[side] = hover;
  if (hover) request.hover[analysis::otherOf(side)] = counterpart(comparison, side, *hover);
  return request;
}

}  // namespace

std::optional<Hover> counterpart(const session::Comparison& comparison, Side side, const Hover& hover) {
  switch (hover.kind) {
    case HoverKind::Thread:
    case HoverKind::Warp:
    case HoverKind::Bank:
      return hover;
    case HoverKind::Element:
      return comparison.replay(side).run() == nullptr ? std::nullopt
                                                      : threadAt(comparison.replay(side), hover.index);
    case HoverKind::Round:
      return roundBeside(comparison, side, hover);
    case HoverKind::Site:
      break;
  }
  return std::nullopt;
}

void addSideCommands(const session::Comparison& comparison, Side side, const session::Commands& asked,
                     session::Commands& all) {
  for (const session::Command& command : asked) {
    if (const auto* const point = std::get_if<session::PointAt>(&command.any()))
      all.push_back(pointed(comparison, side, point->hover, false));
    else if (const auto* const pin = std::get_if<session::Pin>(&command.any()))
      all.push_back(pointed(comparison, side, pin->hover, true));
    else
      all.push_back(session::OnSide{side, std::make_shared<const session::Command>(command)});
  }
}

std::optional<session::PointAtSides> pointedAnew(const session::Comparison& comparison) {
  for (const Side side : analysis::kSides) {
    const auto hover = comparison.replay(side).hover();
    const auto beside = comparison.replay(analysis::otherOf(side)).hover();
    if (!hover || hover->kind != HoverKind::Element || (beside && beside->kind == HoverKind::Element))
      continue;
    const bool pinned = comparison.replay(side).pinned();
    session::PointAtSides request = pointed(comparison, side, hover, pinned);
    if (request.hover[analysis::otherOf(side)] != beside) return request;
  }
  return std::nullopt;
}

}  // namespace stridescope::views
