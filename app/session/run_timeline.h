// Where and when the blocks of a run's experiment ran on a GPU.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "analysis/grid_timeline.h"
#include "model/timeline_record.h"
#include "session/run.h"
#include "session/services.h"

namespace stridescope::session {

struct MarkedGrid {
  model::TimelineRecord record;
  analysis::GridTimeline timeline;  // the record's
};
std::shared_ptr<const MarkedGrid> markedGridOf(model::TimelineRecord record);

// Immutable, and shared: a grid has up to two million blocks.
struct RunTimeline {
  std::shared_ptr<const MarkedGrid> grid{};  // null: not known
  bool live = false;                         // marked for this run, on the GPU that ran it; false: recorded
  std::string why{};  // a sentence: why the GPU that ran it was not asked; empty: it was, or there is none
  std::vector<std::uint64_t> sizes{};  // for which n a timeline of this variant is recorded, ascending
};

// The newest that is recorded.
RunTimeline recordedTimeline(const Run& run, const RecordedMeasurements& recorded);

}  // namespace stridescope::session
