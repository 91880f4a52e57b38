// Runs what a person wrote as combine, on the CPU executor in a process of its own, or on a GPU, whose engine
// has a process of its own already.
//
// A custom operator is compiled for the CPU and tried (Trace::trial) before it runs; then its variant is
// recorded, and the result held against a plain loop. On a GPU it is tried on the CPU, too, where a compiler
// is there; without one it runs all the same, compared with nothing. A combine that crashes or does not end
// ends one record() with a sentence that names the operands.
//
// The text may come from anybody. The compiler and the process that runs it are confined by the kernel
// (combine_worker.h), and what comes out of them is taken for no more than numbers and
// plain words.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "engine/code_trust.h"
#include "engine/engine.h"
#include "engine/sandbox/confinement.h"

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

// What a process that runs a person's code answers is believed as far as it can be checked: numbers, and
// words that are shown as plain text.

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
