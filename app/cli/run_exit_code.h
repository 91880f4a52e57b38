// The exit code of a command that shows a run.
#pragma once

#include "analysis/analysis.h"
#include "cli/context.h"
#include "model/trace.h"

namespace stridescope::cli {

// Whether the run, or what was made of it, was cut short at a limit (steps, memory, time): a problem says
// which. The analysis has the trace's problems and its own.
bool metLimit(const model::Trace& trace);
bool metLimit(const analysis::Analysis& analysis);

// Wrong: the run ended with another result than a plain loop, or ended early for another reason than a limit.
// Limit: `limited`, and no result that is wrong. Else Right.
ExitCode exitCodeOf(const model::Trace& trace, bool limited);

// For a command that makes something of a run and does not tell its problems itself: tells the first limit
// that was met on standard error, and gives Limit; else Right.
ExitCode tellLimit(const Context& context, const analysis::Analysis& analysis);

// The code that a command ends with if it has two: Wrong before Limit before Right.
ExitCode worseOf(ExitCode one, ExitCode other);

}  // namespace stridescope::cli
