// What a process that runs a person's code answers is believed as far as it can be checked: numbers, and
// words that are shown as plain text.
#pragma once

#include <string>

#include "engine/engine.h"

namespace stridescope::engine::sandbox {

// One line of printable ASCII with at most 1 KiB; '?' stands for every other byte.
std::string plainLine(std::string text);

// The same for several lines, at most 64 KiB together.
std::string plainLines(std::string text);

// The trace, if it is that of this experiment on this program's kernels, with plain words; not yet judged.
// Traces hold together already (worker_engine.cpp). `experiment` is checked (experiment_check.h); `executor`
// is who ran it.
Result<model::Trace> plainTrace(model::Trace trace, const model::Experiment& experiment,
                                model::Executor executor);

Result<model::OperatorTrial> plainTrial(model::OperatorTrial trial);

// A number as printElement() has it.
Result<std::string> plainNumber(std::string text);

}  // namespace stridescope::engine::sandbox
