// What an export is made of, for whoever makes it elsewhere.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/clock_record.h"
#include "model/counters.h"
#include "session/exports.h"

namespace stridescope::session {

struct ExportedTraces {
  std::vector<model::Trace> traces = {};
  std::vector<model::ClockRecord> clocks = {};
  std::vector<model::CounterRecord> counters = {};
};

// The order's runs, with what was measured of them, and the others, which are recorded now. `makeEngine`: as
// SessionServices has it.
Result<ExportedTraces> tracesOf(
    const ExportOrder& order,
    const std::function<Result<std::shared_ptr<engine::Engine>>(const std::string& id)>& makeEngine,
    engine::JobControl& job);

}  // namespace stridescope::session
