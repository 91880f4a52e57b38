// What a person does in one side's panels, as commands for both.
#pragma once

#include "session/command.h"
#include "session/comparison.h"

namespace stridescope::views {

// What belongs in the other side to what is pointed at in this one: the same thread, warp or bank, the thread
// that works on the element, the round beside the round. nullopt: nothing does.
std::optional<session::Hover> counterpart(const session::Comparison& comparison, analysis::Side side,
                                          const session::Hover& hover);

// Adds to `all` what the panels of the side asked for.
void addSideCommands(const session::Comparison& comparison, analysis::Side side,
                     const session::Commands& asked, session::Commands& all);

// After a step the pointed element is another thread's: what then belongs to it in the other side, as a
// command. nullopt: nothing else does.
std::optional<session::PointAtSides> pointedAnew(const session::Comparison& comparison);

}  // namespace stridescope::views
