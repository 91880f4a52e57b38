// A reduction's blocks in time, as text and as JSON.
#pragma once

#include <ostream>
#include <string>

#include "model/timeline_record.h"

namespace stridescope::cli {

// Launches and gaps; of the blocks a picture in characters: rows of multiprocessors, time to the right.
std::string timelineText(const model::TimelineRecord& record);

// Format 1, with every block.
void writeTimelineJson(std::ostream& out, const model::TimelineRecord& record);

}  // namespace stridescope::cli
