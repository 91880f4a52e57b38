// What was timed, a row a subject and case; as CSV. docs/timings.md has the columns and their units.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "measure/timing_board.h"
#include "model/trace.h"

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

// Whether `one` is nearer to the number of elements than `other`, or as near and greater: by the factor
// between the two. All are at least 1.
bool isNearer(std::uint64_t one, std::uint64_t other, std::uint64_t elements);

// The times of two experiments' reductions that can stand beside each other: where possible, both were timed
// in the same way on the same GPU.

// Whose time is wanted.
struct TimedExperiment {
  model::Experiment experiment;  // its variant, type, operator and block size
  std::string device = {};       // the GPU that executes it; empty: none does
  std::uint64_t elements = 0;    // where it was timed with others alone, the nearest of them counts
};

// The trace's own: on what executed it, with as many elements as are timed (timedElements).
TimedExperiment timedExperiment(const model::Trace& trace);

struct ComparedTime {
  std::uint64_t elements = 0;
  double microseconds = 0;  // the median
  double lowerQuartile = 0, upperQuartile = 0;
  std::size_t samples = 0;
  bool live = false;  // else recorded
  std::string device{};
};

struct ComparedTimes {
  std::optional<ComparedTime> left{}, right{};
};

// Where both sides ask for as many elements: at the nearest number (isNearer) at which both have a time, else
// of one side alone. Else each side has the time that is nearest to its own. Live times come before recorded
// ones, those of the GPU that executes a side before those of another. `warmL2` and `graph` as in TimingCase.
ComparedTimes comparedTimes(const TimingSnapshot& snapshot, const TimedExperiment& left,
                            const TimedExperiment& right, bool warmL2 = false, bool graph = false);

}  // namespace stridescope::measure
