// The tables of when and where a GPU's blocks ran: there from format 7 on.
#pragma once

#include <sqlite3.h>

#include <span>
#include <vector>

#include "archive/database.h"
#include "archive/recording_schema.h"
#include "model/timeline_record.h"

namespace stridescope::archive {

std::span<const RecordingTable> timelineTables();

// Into tables that are there. False: SQLite refused.
bool writeTimelines(sqlite3* database, std::span<const model::TimelineRecord> timelines);

// All records, in the order in which they were written. An error goes into the state.
std::vector<model::TimelineRecord> readTimelineTables(sqlite3* database, ReadState& state);

}  // namespace stridescope::archive
