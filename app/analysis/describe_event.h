// An event in words.
#pragma once

#include <string>

#include "model/trace.h"

namespace stridescope::analysis {

// "line 9: reads data[4] = 7". Values as wide as the experiment's type are printed as such, others as plain
// numbers.
std::string describe(const model::Trace& trace, const model::LaunchTrace& launch, const model::Event& event);

}  // namespace stridescope::analysis
