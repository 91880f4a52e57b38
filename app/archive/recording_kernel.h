// The tables of what the text pass knows of a kernel's text (model/kernel_model.h), a row for each structure.
// There from format 4 on.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <span>

#include "archive/database.h"
#include "archive/recording_schema.h"
#include "model/kernel_model.h"

namespace stridescope::archive {

std::span<const RecordingTable> kernelTables();

// False: SQLite refused.
bool writeKernelModel(sqlite3* database, std::int64_t trace, const model::KernelModel& model);

// What is wrong is in the state. Indices are checked by model::faultOf.
void readKernelModel(sqlite3* database, std::int64_t trace, ReadState& state, model::KernelModel& model);

}  // namespace stridescope::archive
