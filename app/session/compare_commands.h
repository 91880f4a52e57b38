// What a person can ask of two runs that are compared, beside the commands that go to both.
#pragma once

#include <memory>
#include <optional>

#include "analysis/locked_rounds.h"
#include "analysis/sides.h"
#include "session/hover.h"

namespace stridescope::session {

class Command;

// The side that a person works on: the fields of the experiment, the variant keys and the lists are its.
struct ChooseSide {
  analysis::Side side{};
};
struct ChooseTogether {  // type, operator, sizes, data, schedule and engine are chosen for both sides, or for
                         // the chosen one
  bool together = true;
};
struct LockSides {
  analysis::LockedBy by{};
};
struct SwapSides {};
// The chosen side's variant beside the one that it is taught after, all else alike: enters Compare.
struct CompareWithPrevious {};

// A command that means one of the sides.
struct OnSide {
  analysis::Side side{};
  std::shared_ptr<const Command> command;  // not null
};
// Something is pointed at in one side, and what belongs to it in the other.
struct PointAtSides {
  analysis::BothSides<std::optional<Hover>> hover{};
  bool pin = false;
};

}  // namespace stridescope::session
