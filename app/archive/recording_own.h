// The tables of what a person's own experiments have more: there from format 3 on. An operator of their own
// with what its trial found, their input data and lists, a schedule of the CPU executor.
#pragma once

#include <sqlite3.h>

#include <span>

#include "archive/database.h"
#include "archive/recording_schema.h"

namespace stridescope::archive {

std::span<const RecordingTable> ownTables();

// Into tables that are there; nothing of a trace that has nothing more. False: SQLite refused.
bool writeOwn(sqlite3* database, std::int64_t id, const model::Trace& trace);

// Adds to the experiment of trace `id` what its row has; nothing if it has none. What is wrong is in the
// state. `known` as of readTrace() (recording_file.h): taken where the row counts as many numbers and lists.
void readOwnExperiment(sqlite3* database, std::int64_t id, ReadState& state, model::Experiment& experiment,
                       const model::SharedData* known = nullptr);
void readOwnTrial(sqlite3* database, std::int64_t id, ReadState& state, model::OperatorTrial& trial);

}  // namespace stridescope::archive
