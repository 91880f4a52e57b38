// The tables of what a GPU's hardware counted: there from format 6 on.
#pragma once

#include <sqlite3.h>

#include <span>
#include <vector>

#include "archive/database.h"
#include "archive/recording_schema.h"
#include "model/counters.h"

namespace stridescope::archive {

std::span<const RecordingTable> counterTables();

// Into tables that are there. False: SQLite refused.
bool writeCounters(sqlite3* database, std::span<const model::CounterRecord> counters);

// All records, in the order in which they were written. An error goes into the state.
std::vector<model::CounterRecord> readCounterTables(sqlite3* database, ReadState& state);

}  // namespace stridescope::archive
