// The tables of timings in a recording: there from format 2 on.
#pragma once

#include <sqlite3.h>

#include <span>
#include <string_view>
#include <vector>

#include "archive/database.h"
#include "archive/recording_schema.h"
#include "model/timing_record.h"

namespace stridescope::archive {

std::span<const RecordingTable> timingTables();

// A view for people. Reading a recording does not use it.
std::string_view timingConveniences();

// Into tables that are there. False: SQLite refused.
bool writeTimings(sqlite3* database, std::span<const model::TimingRecord> timings);

// All records, in the order in which they were written. An error goes into the state.
std::vector<model::TimingRecord> readTimingTables(sqlite3* database, ReadState& state);

}  // namespace stridescope::archive
