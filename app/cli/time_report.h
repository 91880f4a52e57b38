// What was timed, as a table for people and as JSON. CSV is measure/timing_rows.h's.
#pragma once

#include <ostream>
#include <string>

#include "measure/timing_rows.h"

namespace stridescope::cli {

std::string timeTable(const measure::TimingSnapshot& snapshot);
void writeTimeJson(std::ostream& out, const measure::TimingSnapshot& snapshot);

}  // namespace stridescope::cli
