// What lessons and tours state of what the shipped recordings have of one variant, or of two:
//
//   price V STEP N            what the step costs: "6.24 µs". STEP: a stride, or empty, load, write, combine,
//                             launches (the further ones), copy, cpu
//   costliest V N             the steps that cost most: "strides 4 and 1"
//   gain V over W N           how much less or more time V takes: "22.3 µs less"
//   grid V over W N           how much less or more the grid that does nothing takes: "19.2 µs less"
//   all V over W N            the same of all steps together
//   largest V over W N        the steps in which they differ most: "strides 8 to 128"
//   largest_sum V over W N    by how much these differ: "17.2 µs less"
//   against V over W N        the steps that differ as much in the other direction; against_sum: by how much
//   cycles V STRIDE           the cycles of the round with that stride, or load or write, of a block alone:
//   "87" idle_multiprocessors V N  for how many of the GPU's there is no block in the first launch: "131"
//
// An error where a step has no such price, where the intervals name no step, or, of a gain, where the times
// are the same within their spread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analysis/reduction_cost.h"
#include "base/result.h"

namespace stridescope::views::test {

bool isMeasured(std::string_view what);
Result<std::string> measuredWords(std::string_view what);

// All that the shipped recording has of what times are made of.
const std::vector<model::CostRecord>& shippedCosts();

// What the shipped recording has of the variant at its default block size; `size`: "2^24". Errors: it has no
// prices of it, or its steps have no names.
Result<analysis::ReductionCost> shippedCost(const std::string& id, const std::string& size);

}  // namespace stridescope::views::test
