// What was timed, as a table for people and as JSON. CSV is measure/timing_rows.h's.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "measure/timing_rows.h"

namespace stridescope::cli {

std::string timeTable(const measure::TimingSnapshot& snapshot);
nlohmann::ordered_json timeJson(const measure::TimingSnapshot& snapshot);

}  // namespace stridescope::cli
