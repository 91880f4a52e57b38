// The GPU that clocks blocks, for `step --cycles` and `record --cycles`.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "base/result.h"
#include "cli/context.h"
#include "engine/engine.h"
#include "measure/clocked_blocks.h"

namespace stridescope::cli {

// measure::clockBlocks on the GPU that --engine names, or that it takes by itself. Errors: the device cannot
// be opened or is lost, `job` was cancelled.
Result<measure::ClockedBlocks> clockBlocksOn(
    const Context& context, const std::string& engine, std::span<const model::Experiment> experiments,
    engine::JobControl& job, const std::function<void(const model::Experiment&)>& report = {});

}  // namespace stridescope::cli
