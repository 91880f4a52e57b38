// What was timed, as a table for people, as CSV and as JSON. docs/timings.md has the columns and their units.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "timing/timing_board.h"

namespace stridescope {

// One subject at one station. The pointers are into the snapshot.
struct TimeRow {
  const TimingSeries* series = nullptr;
  const TimingPoint* point = nullptr;
};

// What there is, ordered by station as the plan has them, and within one by the plan's subjects; live rows
// before recorded ones. Recorded rows only where they are of the plan's reduction, sizes and switches.
std::vector<TimeRow> timeRows(const TimingSnapshot& snapshot);

// Of the ceiling that a pass which only reads has on that device; 0: not known, or the CPU.
double shareOfCeiling(const TimeRow& row);

std::string timeTable(const TimingSnapshot& snapshot);
std::string timeCsv(const TimingSnapshot& snapshot);
nlohmann::ordered_json timeJson(const TimingSnapshot& snapshot);

}  // namespace stridescope
