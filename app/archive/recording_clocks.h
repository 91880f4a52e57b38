// The tables of what a GPU's clock said of single blocks: there from format 5 on.
#pragma once

#include <sqlite3.h>

#include <span>
#include <vector>

#include "archive/database.h"
#include "archive/recording_schema.h"
#include "model/clock_record.h"

namespace stridescope::archive {

std::span<const RecordingTable> clockTables();

// Into tables that are there. False: SQLite refused.
bool writeClocks(sqlite3* database, std::span<const model::ClockRecord> clocks);

// All records, in the order in which they were written. An error goes into the state.
std::vector<model::ClockRecord> readClockTables(sqlite3* database, ReadState& state);

}  // namespace stridescope::archive
