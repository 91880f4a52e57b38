// A reduction's blocks in time, in words.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "analysis/grid_timeline.h"
#include "narration/cycles_sentence.h"

namespace stridescope::narration {

// "Recorded on NVIDIA H100 80GB HBM3, 132 SMs: n = 2^24. The run with the median time of 21: 91.2 µs with a
// mark of each block, 90.4 µs without." Live runs are "Marked on ...".
std::string markedRun(MeasuredFrom from, const model::TimelineRecord& record);

// "Launch 1 of 3: 65 536 blocks of 256 threads, 62.1 waves of the 1 056 that fit at once. From the last start
// on, 3.2 µs, 41 % of the places are filled (the tail)." Requires a timeline of the record.
std::string launchTimes(const model::TimelineRecord& record, const analysis::GridTimeline& timeline,
                        std::size_t launch);

// What the time between is: "before the first block", "between launches 1 and 2", "after the last block".
std::string gapName(const analysis::GridTimeline& timeline, std::size_t gap);

// "block 4 096 of 65 536, launch 1: SM 17, from 12.3 to 14.1 µs (1.82 µs)"
std::string blockTimes(const analysis::GridTimeline& timeline, const analysis::BlockBar& bar);

// What marking costs, where it is more than a few percent of the time: a sentence; else empty.
std::string markingCost(const model::TimelineRecord& record);

// What stands in for a timeline that is not known. `sizes`: for which n one is recorded of the variant.
std::string noTimeline(const std::vector<std::uint64_t>& sizes);

}  // namespace stridescope::narration
