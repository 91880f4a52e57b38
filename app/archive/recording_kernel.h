// The tables of what a run's experiment has: its kernel's text, a person's own operator and data, and fields
// that came later.
#pragma once

#include <sqlite3.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>
#include <vector>

#include "archive/database.h"
#include "archive/recording_schema.h"
#include "archive/row_shapes.h"
#include "model/kernel_model.h"

namespace stridescope::archive {

// The tables of what the text pass knows of a kernel's text (model/kernel_model.h), a row for each structure.
// There from format 4 on.

std::span<const RecordingTable> kernelTables();

// False: SQLite refused.
bool writeKernelModel(sqlite3* database, std::int64_t trace, const model::KernelModel& model);

// What is wrong is in the state. Indices are checked by model::faultOf.
void readKernelModel(sqlite3* database, std::int64_t trace, ReadState& state, model::KernelModel& model);

// The tables of what a person's own experiments have more: there from format 3 on. An operator of their own
// with what its trial found, their input data and lists, a schedule of the CPU executor.

std::span<const RecordingTable> ownTables();

// Into tables that are there; nothing of a trace that has nothing more. False: SQLite refused.
bool writeOwn(sqlite3* database, std::int64_t id, const model::Trace& trace);

// Adds to the experiment of trace `id` what its row has; nothing if it has none. What is wrong is in the
// state. `known` as of readTrace() (recording_file.h): taken where the row counts as many numbers and lists.
void readOwnExperiment(sqlite3* database, std::int64_t id, ReadState& state, model::Experiment& experiment,
                       const model::SharedData* known = nullptr);
void readOwnTrial(sqlite3* database, std::int64_t id, ReadState& state, model::OperatorTrial& trial);

// The table of fields that structures got after the columns of their tables were fixed: a recording's tables
// are those of its format, letter for letter. There from format 4 on, with a row for each such
// field that is not its default. A new field needs nothing here.

std::span<const RecordingTable> laterTables();

// Whether a table of format 3 or before has the column.
bool isColumn(std::string_view table, std::string_view column);

// The fields of a structure that none of its tables has a column for; `shape` as its rows are read and
// written.
template <class Struct>
std::vector<std::string_view> laterFieldsOf(std::initializer_list<std::string_view> tables,
                                            const RowShape& shape = {}) {
  std::vector<std::string_view> later;
  const Struct any{};
  forEachField(any, [&]<class Field>(std::string_view name, const Field&) {
    const std::string_view column = shape.columnOf(name);
    const auto has = [&](std::string_view table) { return isColumn(table, column); };
    if (PlainField<Field> && !column.empty() && std::ranges::none_of(tables, has)) later.push_back(name);
  });
  return later;
}

// Which structure of a trace: its kind, and where there are several of it their number, in which launch.
struct LaterPlace {
  std::string_view record;
  std::size_t launch = 0, number = 0;
};

// Writes the fields of these names that are not their defaults. False: SQLite refused.
template <class Struct>
bool writeLaterFields(RowWriter& row, std::int64_t trace, const LaterPlace& place, const Struct& value,
                      std::span<const std::string_view> names) {
  if (names.empty()) return true;
  bool written = true;
  const Struct defaults{};
  forEachField(value, defaults,
               [&]<class Field>(std::string_view name, const Field& field, const Field& defaultField) {
                 if constexpr (PlainField<Field>)
                   if (field != defaultField && std::ranges::find(names, name) != names.end())
                     written = written && row.write(trace, place.record, place.launch, place.number, name,
                                                    valueInFile(field));
               });
  return written;
}

// Reads the row's field into the structure. One that is not of these names sets the fault.
template <class Struct>
void readLaterField(RowReader& row, Struct& value, std::span<const std::string_view> names,
                    const RowShape& shape) {
  const int nameColumn = row.column("field"), valueColumn = row.column("value");
  const std::string_view wanted = row.word(nameColumn);
  if (std::ranges::find(names, wanted) == names.end())
    return row.fault(nameColumn, "names a field that is not known");
  forEachField(value, [&]<class Field>(std::string_view name, Field& field) {
    if constexpr (PlainField<Field>)
      if (name == wanted) readField(row, valueColumn, field, shape.limitOf<Field>(name));
  });
}

// Writes nothing for a trace that has no such field. False: SQLite refused.
bool writeLater(sqlite3* database, std::int64_t id, const model::Trace& trace);

// Both add what the rows of trace `id` have: readLaterHead() to the experiment and executor alone,
// readLater() to the whole trace. An error goes into the state.
void readLaterHead(sqlite3* database, std::int64_t id, ReadState& state, model::Experiment& experiment,
                   model::Executor& executor);
void readLater(sqlite3* database, std::int64_t id, ReadState& state, model::Trace& trace);

}  // namespace stridescope::archive
