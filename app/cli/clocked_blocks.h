// Clocks blocks on a GPU, for `step --cycles` and `record --cycles`.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/context.h"
#include "engine/engine.h"
#include "model/clock_record.h"

namespace stridescope::cli {

struct ClockedBlocks {
  std::vector<model::ClockRecord> records{};
  std::vector<std::string> notes{};  // sentences: what could not be clocked, and why
};

// Each experiment's block alone and in a full grid, in this order, on the GPU of the driver's number `gpu`.
// `report`, which may be empty, is called before each. What a variant does not have is noted. Errors: the
// device cannot be opened, `job` was cancelled.
Result<ClockedBlocks> clockBlocks(const Context& context, unsigned gpu,
                                  std::span<const model::Experiment> experiments, engine::JobControl& job,
                                  const std::function<void(const model::Experiment&)>& report = {});

// The driver's number of the GPU that --engine names, or that it takes by itself.
unsigned gpuOf(const std::string& engine);

}  // namespace stridescope::cli
