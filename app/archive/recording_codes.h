// The table of kernels' machine code: there from format 7 on.
#pragma once

#include <sqlite3.h>

#include <span>
#include <string>
#include <vector>

#include "archive/database.h"
#include "archive/recording_schema.h"
#include "model/machine_code.h"

namespace stridescope::archive {

std::span<const RecordingTable> codeTables();

// The lines as the file has them: a text.
std::string listingOf(const model::MachineCode& code);

// Into tables that are there. False: SQLite refused.
bool writeCodes(sqlite3* database, std::span<const model::MachineCode> codes);

// All records, in the order in which they were written. An error goes into the state.
std::vector<model::MachineCode> readCodeTables(sqlite3* database, ReadState& state);

}  // namespace stridescope::archive
