// Marks of a stand-in clock: what the first lane of each warp of a recorded run would have marked, as
// clocking/clock.h says, at times that the test decides.
#pragma once

#include <cstdint>
#include <functional>

#include "model/clock_record.h"
#include "model/trace.h"

namespace stridescope::support {

// The time of a warp's mark, counted from its first.
using MarkTime = std::function<std::uint64_t(std::size_t mark)>;

model::WarpMarks standInMarks(const model::LaunchTrace& launch, unsigned warp, const MarkTime& timeOf);

// `runs` equal runs of the trace's first launch, on "Stand-in GPU".
model::ClockRecord standInRecord(const model::Trace& trace, model::ClockedGrid company, std::size_t runs,
                                 const MarkTime& timeOf);

}  // namespace stridescope::support
