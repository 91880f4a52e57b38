// Measurements of experiments. Each has a row, numbered from 1 on, that says which experiment it measured and
// on which device. If it tells of launches, they have rows in another table.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "archive/row_shapes.h"

namespace stridescope::archive {

template <class Record>
void setRecord(RowWriter& row, std::size_t id, const Record& record, const RowShape& shape = {}) {
  row.set("id", id);
  setFields(row, record.experiment, kExperimentRow);
  setFields(row, record.experiment.custom);
  setFields(row, record, shape);
  setFields(row, record.executor, kExecutorRow);
}

// All rows of the table, at most `most`. `readMore(row, id, record)` reads what setRecord() does not set.
template <class Record, class More>
std::vector<Record> readRecords(sqlite3* database, ReadState& state, std::string_view table, std::size_t most,
                                const RowShape& shape, More readMore) {
  std::vector<Record> records;
  const std::string query = "SELECT * FROM " + std::string(table) + " ORDER BY id";
  RowReader row(database, table, query, state);
  while (row.next()) {
    if (records.size() == most) row.fault(row.column("id"), "counts too many of them");
    Record& record = records.emplace_back();
    row.expect(row.column("id"), records.size());
    readFields(row, record.experiment, kExperimentRow);
    readFields(row, record.experiment.custom);
    readFields(row, record, shape);
    readExecutor(row, record.executor);
    readMore(row, std::int64_t(records.size()), record);
  }
  return records;
}

inline constexpr auto kNothingMore = [](auto&, auto&) {};

// Writes a record that setRecord() has set, and its launches; `setMore(row, launch)` sets what is not a field
// of them. False: SQLite refused.
template <class Launch, class More>
bool writeWithLaunches(RowWriter& row, std::size_t id, RowWriter& launchRow,
                       const std::vector<Launch>& launches, const RowShape& shape, More setMore) {
  row.set("launch_count", launches.size());
  if (!row.write()) return false;
  for (std::size_t i = 0; i < launches.size(); ++i) {
    launchRow.set("record", id);
    launchRow.set("launch", i);
    setFields(launchRow, launches[i], shape);
    setMore(launchRow, launches[i]);
    if (!launchRow.write()) return false;
  }
  return true;
}

// A reader for readLaunches(), which goes from one record to the next.
inline RowReader launchReader(sqlite3* database, ReadState& state, std::string_view table) {
  return {database, table, "SELECT * FROM " + std::string(table) + " WHERE record = ?1 ORDER BY launch",
          state};
}

// The launches of the record that `row` stands at. `readMore(launchRow, launch)` reads what is no field of a
// launch.
template <class Launch, class More>
void readLaunches(RowReader& row, RowReader& launchRow, const ReadState& state, std::int64_t id,
                  std::vector<Launch>& launches, const RowShape& shape, More readMore) {
  const std::size_t count = row.count("launch_count", model::kMaxLaunches);
  for (launchRow.start({id}); launchRow.next();) {
    launchRow.expect(launchRow.column("launch"), launches.size());
    if (launches.size() == count) launchRow.fault(launchRow.column("launch"), "counts too many of them");
    if (state.failed()) return;
    readFields(launchRow, launches.emplace_back(), shape);
    readMore(launchRow, launches.back());
  }
  launchRow.expectCount(launches.size(), count);
}

}  // namespace stridescope::archive
