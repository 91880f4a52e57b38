// The tables of what launching costs on a GPU, beside whole reductions: there from format 7 on.
#pragma once

#include <sqlite3.h>

#include <span>
#include <vector>

#include "archive/database.h"
#include "archive/recording_schema.h"
#include "model/cost_record.h"

namespace stridescope::archive {

std::span<const RecordingTable> costTables();

// Into tables that are there. False: SQLite refused.
bool writeCosts(sqlite3* database, std::span<const model::CostRecord> costs);

// All records, in the order in which they were written. An error goes into the state.
std::vector<model::CostRecord> readCostTables(sqlite3* database, ReadState& state);

}  // namespace stridescope::archive
