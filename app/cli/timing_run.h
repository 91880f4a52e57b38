// Runs a timing plan to its end in the terminal: progress where a person watches.
#pragma once

#include "cli/context.h"
#include "measure/timing_board.h"

namespace stridescope::cli {

// What was sampled is in the board afterwards, also when the job was cancelled. False: it was.
bool runTimingPlan(measure::TimingBoard& board, const measure::TimingPlan& plan, const Context& context,
                   const engine::JobControl& job);

}  // namespace stridescope::cli
