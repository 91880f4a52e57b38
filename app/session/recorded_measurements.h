// Recorded measurements out of files, for SessionServices::recorded.
#pragma once

#include <string>
#include <vector>

#include "session/services.h"

namespace stridescope::session {

// All measurements of the recordings that come with the program. They live as long as it.
struct ShippedMeasurements {
  const std::vector<model::ClockRecord>& (*clocks)() = nullptr;
  const std::vector<model::CounterRecord>& (*counters)() = nullptr;
  const std::vector<model::TimelineRecord>& (*timelines)() = nullptr;
  const std::vector<model::CostRecord>& (*costs)() = nullptr;
  const std::vector<model::MachineCode>& (*codes)() = nullptr;
};

// Those, and what is in the recording that `engineId` names, if it names one. Where a table of that is
// damaged, there are none of its kind at all: another file's would stand beside its runs.
RecordedMeasurements measurementsOf(const std::string& engineId, const ShippedMeasurements& shipped);

}  // namespace stridescope::session
