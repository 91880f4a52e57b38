// The tables of what was measured: machine code, costs, counters, timelines.
#pragma once

#include <sqlite3.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "archive/database.h"
#include "archive/recording_schema.h"
#include "archive/row_shapes.h"
#include "model/clock_record.h"
#include "model/counters.h"
#include "model/machine_code.h"
#include "model/timing_record.h"

namespace stridescope::archive {

// Measurements of experiments. Each has a row, numbered from 1 on, that says which experiment it measured and
// on which device. If it tells of launches, they have rows in another table.

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

// The table of kernels' machine code: there from format 7 on.

std::span<const RecordingTable> codeTables();

// The lines as the file has them: a text.
std::string listingOf(const model::MachineCode& code);

// Into tables that are there. False: SQLite refused.
bool writeCodes(sqlite3* database, std::span<const model::MachineCode> codes);

// All records, in the order in which they were written. An error goes into the state.
std::vector<model::MachineCode> readCodeTables(sqlite3* database, ReadState& state);

// The tables of what launching costs on a GPU, beside whole reductions: there from format 7 on.

std::span<const RecordingTable> costTables();

// Into tables that are there. False: SQLite refused.
bool writeCosts(sqlite3* database, std::span<const model::CostRecord> costs);

// All records, in the order in which they were written. An error goes into the state.
std::vector<model::CostRecord> readCostTables(sqlite3* database, ReadState& state);

// The tables of what a GPU's hardware counted: there from format 6 on.

std::span<const RecordingTable> counterTables();

// Into tables that are there. False: SQLite refused.
bool writeCounters(sqlite3* database, std::span<const model::CounterRecord> counters);

// All records, in the order in which they were written. An error goes into the state.
std::vector<model::CounterRecord> readCounterTables(sqlite3* database, ReadState& state);

// The tables of when and where a GPU's blocks ran: there from format 7 on.

std::span<const RecordingTable> timelineTables();

// Into tables that are there. False: SQLite refused.
bool writeTimelines(sqlite3* database, std::span<const model::TimelineRecord> timelines);

// All records, in the order in which they were written. An error goes into the state.
std::vector<model::TimelineRecord> readTimelineTables(sqlite3* database, ReadState& state);

// The marks of a grid's blocks in few bytes: for each block three numbers, one after another. Its start minus
// that of the block before it, or of the grid's first start for the first block, as a number with its sign
// folded in (0, -1, 1, -2, ... are 0, 1, 2, 3, ...); its duration; both in units of `step` nanoseconds; and
// its multiprocessor. Each number takes as many bytes as it needs, seven bits in each, the low ones first,
// the high bit set where another follows (LEB128).

// The bytes that a block takes: a start within any run that is allowed, a duration, a multiprocessor's
// number.
inline constexpr std::size_t kMaxPackedBlockBytes = 8 + 5 + 2;
inline constexpr std::uint64_t kMaxStep = std::numeric_limits<unsigned>::max();  // as a duration

struct PackedBlocks {
  std::uint64_t firstStart = 0;  // the least start, nanoseconds
  std::uint64_t step = 1;  // at least 1: all starts, counted from there, and durations are multiples of it
  std::vector<std::uint8_t> bytes{};
};

PackedBlocks packBlocks(std::span<const model::BlockRun> blocks);

// False: the bytes are no `count` blocks, or hold a number that no mark has. `blocks` then holds anything.
bool unpackBlocks(const PackedBlocks& packed, std::size_t count, std::vector<model::BlockRun>& blocks);

}  // namespace stridescope::archive
