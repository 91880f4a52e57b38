// Recordings that come with the program: beside it in a package, in the source folder in a build.
#pragma once

#include <filesystem>
#include <vector>

#include "model/clock_record.h"
#include "model/counters.h"
#include "model/machine_code.h"
#include "model/timing_record.h"

namespace stridescope::lab::sources {

// The files in the order of their names.
std::vector<std::filesystem::path> shippedRecordings();

// All measurements that they hold, read once in a process.
const std::vector<model::TimingRecord>& shippedTimings();
const std::vector<model::ClockRecord>& shippedClocks();
const std::vector<model::CounterRecord>& shippedCounters();
const std::vector<model::TimelineRecord>& shippedTimelines();
const std::vector<model::CostRecord>& shippedCosts();
const std::vector<model::MachineCode>& shippedCodes();

}  // namespace stridescope::lab::sources
