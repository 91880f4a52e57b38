// Runs a timing plan to its end in the terminal: progress where a person watches, Ctrl-C ends it early.
#pragma once

#include "cli/context.h"
#include "timing/timing_board.h"

namespace stridescope {

// What was sampled is in the board afterwards, also after Ctrl-C. False: it was Ctrl-C.
bool runTimingPlan(TimingBoard& board, const TimingPlan& plan, const Context& context);

}  // namespace stridescope
