// Which experiments `record` measures on the GPU, beside the traces that it records.
#pragma once

#include <span>
#include <vector>

#include "model/experiment.h"
#include "model/trace.h"

namespace stridescope::cli {

// Whose counters are read: each trace's experiment in every block size, with one block's elements; and in its
// own block size at 2^16, 2^20 and 2^24 elements.
std::vector<model::Experiment> experimentsToCount(std::span<const model::Trace> traces);

// Whose grids are marked: each trace's at the first two of these sizes, and of three variants at the last.
std::vector<model::Experiment> experimentsToMark(std::span<const model::Trace> traces);

// Whose launches are timed beside empty ones: each trace's with its own elements, at 2^16, 2^20 and 2^24
// elements, and at every power of four from 2^10 to 2^26.
std::vector<model::Experiment> experimentsToCost(std::span<const model::Trace> traces);

// The steps of which have prices: each trace's at 2^16, 2^20 and 2^24 elements.
std::vector<model::Experiment> experimentsToPeel(std::span<const model::Trace> traces);

// The experiments whose machine code is kept: each trace's, and its variant's with float and with double. A
// person's own operator has none.
std::vector<model::Experiment> experimentsToCompile(std::span<const model::Trace> traces);

}  // namespace stridescope::cli
