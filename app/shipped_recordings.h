// Recordings that come with the program: beside it in a package, in the source folder in a build.
#pragma once

#include <filesystem>
#include <vector>

#include "model/timing_record.h"

namespace stridescope::program {

// In the order of their names.
std::vector<std::filesystem::path> shippedRecordings();

// All timings that they hold.
std::vector<model::TimingRecord> shippedTimings();

}  // namespace stridescope::program
