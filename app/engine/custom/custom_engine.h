// Runs what a person wrote as combine, on the CPU executor in a process of its own, or on a GPU, whose engine
// has a process of its own already.
//
// A custom operator is compiled for the CPU and tried (Trace::trial) before it runs; then its variant is
// recorded, and the result held against a plain loop. On a GPU it is tried on the CPU, too, where a compiler
// is there; without one it runs all the same, compared with nothing. A combine that crashes or does not end
// ends one record() with a sentence that names the operands.
#pragma once

#include <memory>
#include <string>

#include "engine/code_trust.h"
#include "engine/engine.h"

namespace stridescope {

// An engine that gives everything else to `engine`, a CPU executor or a GPU's. A text that `trust` does not
// allow is not compiled: record() then fails with ErrorCause::UntrustedCode. `program` is this program, to be
// started once more (combine_worker.h).
std::unique_ptr<Engine> makeCustomEngine(std::unique_ptr<Engine> engine,
                                         std::shared_ptr<const CodeTrust> trust,
                                         std::string program = "/proc/self/exe");

}  // namespace stridescope
