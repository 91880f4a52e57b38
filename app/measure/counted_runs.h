// Reads the hardware's counters of several experiments.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/engine.h"
#include "measure/timing_device.h"
#include "model/counters.h"

namespace stridescope::measure {

struct CountedRuns {
  std::vector<model::CounterRecord> records{};
  std::vector<std::string> notes{};  // sentences, each once: what has no counters, and why
};

// Of those that can be counted, in order. `report`, which may be empty, is called before each. Errors: `job`
// was cancelled, the device is lost, counters cannot be read at all.
Result<CountedRuns> countRuns(TimingDevice& device, std::span<const model::Experiment> experiments,
                              engine::JobControl& job,
                              const std::function<void(const model::Experiment&)>& report = {});

}  // namespace stridescope::measure
