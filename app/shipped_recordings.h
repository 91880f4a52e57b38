// Recordings that come with the program: beside it in a package, in the source folder in a build.
#pragma once

#include <filesystem>
#include <vector>

#include "model/clock_record.h"
#include "model/counters.h"
#include "model/timing_record.h"

namespace stridescope::program {

// In the order of their names.
std::vector<std::filesystem::path> shippedRecordings();

// All timings and cycles that they hold.
std::vector<model::TimingRecord> shippedTimings();
std::vector<model::ClockRecord> shippedClocks();
std::vector<model::CounterRecord> shippedCounters();

}  // namespace stridescope::program
