// Which experiments `record` measures on the GPU, beside the traces that it records.
#pragma once

#include <span>
#include <vector>

#include "model/trace.h"

namespace stridescope::cli {

// Whose counters are read: each trace's experiment in every block size, with one block's elements; and in its
// own block size at kRecordedSizes.
std::vector<model::Experiment> experimentsToCount(std::span<const model::Trace> traces);

// Whose grids are marked: each trace's at the first two of kRecordedSizes, and of kTimelineOfAll's variants
// at the last.
std::vector<model::Experiment> experimentsToMark(std::span<const model::Trace> traces);

// Whose launches are timed beside empty ones: each trace's with its own elements, at kRecordedSizes, and at
// every power of four from 2^10 to 2^26.
std::vector<model::Experiment> experimentsToCost(std::span<const model::Trace> traces);

// The experiments whose machine code is kept: each trace's, and its variant's with float and with double. A
// person's own operator has none.
std::vector<model::Experiment> experimentsToCompile(std::span<const model::Trace> traces);

}  // namespace stridescope::cli
