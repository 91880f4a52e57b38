// What was timed, as a table for people and as JSON. CSV is timing/timing_rows.h's.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "measure/timing_rows.h"

namespace stridescope {

std::string timeTable(const TimingSnapshot& snapshot);
nlohmann::ordered_json timeJson(const TimingSnapshot& snapshot);

}  // namespace stridescope
