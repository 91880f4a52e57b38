// Runs a timing plan to its end in the terminal: progress where a person watches.
#pragma once

#include "cli/context.h"
#include "measure/timing_board.h"

namespace stridescope {

// What was sampled is in the board afterwards, also when the job was cancelled. False: it was.
bool runTimingPlan(TimingBoard& board, const TimingPlan& plan, const Context& context, const JobControl& job);

}  // namespace stridescope
