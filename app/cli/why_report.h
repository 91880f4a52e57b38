// What the time of a reduction is made of, as text and as JSON.
#pragma once

#include <ostream>
#include <string>

#include "analysis/time_parts.h"

namespace stridescope::cli {

// `before`: the variant that it is taught after; null: nothing is known of it.
std::string whyReport(const analysis::ReductionCost& reduction, const analysis::ReductionCost* before);

// Format 1.
void writeWhyJson(std::ostream& out, const analysis::ReductionCost& reduction,
                  const analysis::ReductionCost* before);

}  // namespace stridescope::cli
