// A reduction's blocks in time, as text and as JSON.
#pragma once

#include <ostream>
#include <string>

#include "model/timeline_record.h"

namespace stridescope::cli {

// Lists launches and gaps, and draws the blocks in characters: a row for each multiprocessor, time to the
// right.
std::string timelineText(const model::TimelineRecord& record);

// Format 1, with every block.
void writeTimelineJson(std::ostream& out, const model::TimelineRecord& record);

}  // namespace stridescope::cli
