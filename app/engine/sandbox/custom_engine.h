// Runs what a person wrote as combine, on the CPU executor in a process of its own, or on a GPU, whose engine
// has a process of its own already.
//
// A custom operator is compiled for the CPU and tried (Trace::trial) before it runs; then its variant is
// recorded, and the result held against a plain loop. On a GPU it is tried on the CPU, too, where a compiler
// is there; without one it runs all the same, compared with nothing. A combine that crashes or does not end
// ends one record() with a sentence that names the operands.
//
// The text may come from anybody. The compiler and the process that runs it are confined by the kernel
// (combine_compiler.h, combine_worker.h), and what comes out of them is taken for no more than numbers and
// plain words.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "engine/code_trust.h"
#include "engine/engine.h"
#include "engine/sandbox/sandbox_support.h"

namespace stridescope::engine::sandbox {

struct CustomEngineOptions {
  using Duration = std::chrono::milliseconds;
  std::string program = "/proc/self/exe";  // this program, to be started once more (combine_worker.h)
  // Where it is not complete, no code of a person runs on the CPU unless `trust` allows that, too: record()
  // fails with ErrorCause::UnconfinedCode.
  SandboxSupport support = sandboxSupport();
  // Limits on the clock. `run` holds for the recording, and once more for the plain loop.
  Duration trial{10'000}, run{60'000};
};

// An engine that gives everything else to `engine`, a CPU executor or a GPU's. Progress is told every second
// at least. A text that `trust` does not allow is not compiled: record() then fails with
// ErrorCause::UntrustedCode.
std::unique_ptr<Engine> makeCustomEngine(std::unique_ptr<Engine> engine,
                                         std::shared_ptr<const CodeTrust> trust,
                                         CustomEngineOptions options = {});

}  // namespace stridescope::engine::sandbox
