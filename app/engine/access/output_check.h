// A kernel's arrays held against what is expected of them.
#pragma once

#include <optional>
#include <string>

#include "engine/access/kernel_run.h"
#include "launch_planner.h"

namespace stridescope::engine::access {

// What is expected of no array that a kernel may write, or is no number of it: a sentence.
std::optional<std::string> faultOfExpected(const LaunchRequest& launch, const Arrays& arrays);

// The members of what is expected as a file or as a reduction come into `expected`. `arrays` are as before
// the first launch. Usage: a file or an array that cannot be read so.
Result<void> readExpected(const KernelFile& file, const Arrays& arrays, LaunchRequest& launch);

// Compares the run's outputs; they go before what an earlier launch said.
void checkOutputs(const LaunchRequest& launch, KernelRun& run, const Arrays& arrays);

}  // namespace stridescope::engine::access
