// Clocks the blocks of several experiments, each in every kind of grid (model::ClockedGrid).
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/engine.h"
#include "measure/timing_device.h"
#include "model/clock_record.h"

namespace stridescope::measure {

struct ClockedBlocks {
  std::vector<model::ClockRecord> records{};
  std::vector<std::string> notes{};  // sentences, each once: what could not be clocked, and why
};

// Each experiment's block alone and in a full grid, in this order. `report`, which may be empty, is called
// before each. What a variant does not have is noted. Errors: `job` was cancelled, the device is lost.
Result<ClockedBlocks> clockBlocks(TimingDevice& device, std::span<const model::Experiment> experiments,
                                  engine::JobControl& job,
                                  const std::function<void(const model::Experiment&)>& report = {});

}  // namespace stridescope::measure
