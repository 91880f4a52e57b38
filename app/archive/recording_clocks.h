// The tables of times: what a GPU's clock said of single blocks, and timings.
#pragma once

#include <sqlite3.h>

#include <span>
#include <string_view>
#include <vector>

#include "archive/database.h"
#include "archive/recording_schema.h"
#include "model/clock_record.h"
#include "model/timing_record.h"

namespace stridescope::archive {

// The tables of what a GPU's clock said of single blocks: there from format 5 on.

std::span<const RecordingTable> clockTables();

// Into tables that are there. False: SQLite refused.
bool writeClocks(sqlite3* database, std::span<const model::ClockRecord> clocks);

// All records, in the order in which they were written. An error goes into the state.
std::vector<model::ClockRecord> readClockTables(sqlite3* database, ReadState& state);

// The tables of timings in a recording: there from format 2 on.

std::span<const RecordingTable> timingTables();

// A view for people. Reading a recording does not use it.
std::string_view timingConveniences();

// Into tables that are there. False: SQLite refused.
bool writeTimings(sqlite3* database, std::span<const model::TimingRecord> timings);

// All records, in the order in which they were written. An error goes into the state.
std::vector<model::TimingRecord> readTimingTables(sqlite3* database, ReadState& state);

}  // namespace stridescope::archive
