// Which round of one run stands beside which round of another, so that both are stepped as one.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "analysis/analysis.h"
#include "analysis/sides.h"

namespace stridescope::analysis {

enum class LockedBy : std::uint8_t {
  Round,   // the rounds of the same number
  Stride,  // those of the same stride and kind, in padded memory, too (33 beside 32); if there are several,
           // the first beside the first
};
inline constexpr std::array kLockedBy{LockedBy::Round, LockedBy::Stride};
constexpr std::string_view nameOf(LockedBy by) { return by == LockedBy::Round ? "round" : "stride"; }

// Rounds of launches of the same number; one of the sides has one at least.
struct LockedRound {
  unsigned launch = 0;
  BothSides<std::optional<unsigned>> round{};
  friend bool operator==(const LockedRound&, const LockedRound&) = default;
};

// Every round of both runs once: in the left one's order; what the right run has alone comes after the round
// before it.
std::vector<LockedRound> lockedRounds(const Analysis& left, const Analysis& right, LockedBy by);

// What is shown of a run that has no round in a launch of this number beside another's: its last state, the
// last round of that launch or of the last one before it that has a round; else its first round. Requires
// that some launch has a round.
struct RoundOfRun {
  unsigned launch = 0, round = 0;
  friend bool operator==(const RoundOfRun&, const RoundOfRun&) = default;
};
RoundOfRun lastState(const Analysis& analysis, unsigned launch);

}  // namespace stridescope::analysis
