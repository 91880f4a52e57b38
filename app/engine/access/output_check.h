// A kernel's arrays held against what is expected of them.
#pragma once

#include <optional>
#include <string>

#include "engine/access/kernel_run.h"
#include "launch_planner.h"

namespace stridescope::engine::access {

// What is expected of no array that a kernel may write, or is no number of it: a sentence.
std::optional<std::string> faultOfExpected(const LaunchRequest& launch, const Arrays& arrays);

// Compares the run's outputs; they go before what an earlier launch said.
void checkOutputs(const LaunchRequest& launch, KernelRun& run, const Arrays& arrays);

}  // namespace stridescope::engine::access
