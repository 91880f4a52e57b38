// What was timed, a row a subject and case; as CSV. docs/timings.md has the columns and their units.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "measure/timing_board.h"

namespace stridescope::measure {

// One subject at one case. The pointers are into the snapshot.
struct TimeRow {
  const TimingSeries* series = nullptr;
  const TimingPoint* point = nullptr;
};

// What there is, ordered by case as the plan has them, and within one by the plan's subjects; live rows
// before recorded ones. Recorded rows only where they are of the plan's reduction, sizes, block sizes and
// switches.
std::vector<TimeRow> timeRows(const TimingSnapshot& snapshot);

// All there is, a series after the other.
std::vector<TimeRow> allTimeRows(const TimingSnapshot& snapshot);

// The share of the device's peak read bandwidth (measured); 0: that is not known, or it is the CPU.
double shareOfCeiling(const TimeRow& row);

std::string timeCsv(std::span<const TimeRow> rows);

}  // namespace stridescope::measure
