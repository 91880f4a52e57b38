#include "archive/recording_counters.h"

#include "archive/measured_rows.h"

namespace stridescope::archive {
namespace {

// The comments stay in the file: `.schema` of the sqlite3 tool shows them.
constexpr std::array<RecordingTable, 3> kTables{{
    {"counters", R"(CREATE TABLE counters(
  id INTEGER PRIMARY KEY,
  variant TEXT NOT NULL,
  type TEXT NOT NULL,
  op TEXT NOT NULL,
  combine TEXT NOT NULL,            -- of the operator custom; else empty
  identity TEXT NOT NULL,
  identity_bits INTEGER NOT NULL,
  threads INTEGER NOT NULL,         -- of a block
  elements INTEGER NOT NULL,        -- of the input
  data TEXT NOT NULL,
  seed INTEGER NOT NULL,
  lists INTEGER NOT NULL,           -- of a merge; else 0
  kernel_sha256 TEXT NOT NULL,
  engine TEXT NOT NULL,             -- gpu
  device TEXT NOT NULL,
  compute_capability TEXT NOT NULL,
  driver TEXT NOT NULL,
  compiler TEXT NOT NULL,
  recorded_on TEXT NOT NULL,        -- ISO 8601, UTC
  launch_count INTEGER NOT NULL
))"},
    {"counter_launches", R"(CREATE TABLE counter_launches(
  record INTEGER NOT NULL,          -- counters.id
  launch INTEGER NOT NULL,          -- from 0
  grid INTEGER NOT NULL,            -- blocks
  block INTEGER NOT NULL,           -- threads of a block
  PRIMARY KEY(record, launch)
) WITHOUT ROWID)"},
    {"counter_values", R"(CREATE TABLE counter_values(
  record INTEGER NOT NULL,
  launch INTEGER NOT NULL,
  ordinal INTEGER NOT NULL,         -- from 0
  counter TEXT NOT NULL,            -- instructions, shared_load_conflicts, ...
  value REAL NOT NULL,
  PRIMARY KEY(record, launch, ordinal)
) WITHOUT ROWID)"},
}};

constexpr RowShape kLaunchOfCounters{.limits = {{"block", 1, model::kMaxThreads}}};
constexpr RowShape kValueRow{.limits = {{"value", 0, 1'000'000'000'000'000'000}}};

void readValues(RowReader& row, const ReadState& state, std::int64_t id, std::int64_t launch,
                std::vector<model::CounterValue>& values) {
  for (row.start({id, launch}); row.next();) {
    row.expect(row.column("ordinal"), values.size());
    if (values.size() == model::kCounters.size()) row.fault(row.column("ordinal"), "counts too many of them");
    if (state.failed()) return;
    readFields(row, values.emplace_back(), kValueRow);
  }
}

bool writeValues(RowWriter& row, std::size_t id, std::size_t launch,
                 const std::vector<model::CounterValue>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    row.set("record", id);
    row.set("launch", launch);
    row.set("ordinal", i);
    setFields(row, values[i], kValueRow);
    if (!row.write()) return false;
  }
  return true;
}

}  // namespace

std::span<const RecordingTable> counterTables() { return kTables; }

bool writeCounters(sqlite3* database, std::span<const model::CounterRecord> counters) {
  RowWriter records(database, "counters"), launches(database, "counter_launches"),
      values(database, "counter_values");
  for (std::size_t id = 1; id <= counters.size(); ++id) {
    const model::CounterRecord& record = counters[id - 1];
    setRecord(records, id, record);
    if (!writeWithLaunches(records, id, launches, record.launches, kLaunchOfCounters, kNothingMore))
      return false;
    for (std::size_t launch = 0; launch < record.launches.size(); ++launch)
      if (!writeValues(values, id, launch, record.launches[launch].values)) return false;
  }
  return true;
}

std::vector<model::CounterRecord> readCounterTables(sqlite3* database, ReadState& state) {
  RowReader launches = launchReader(database, state, "counter_launches");
  RowReader values(database, "counter_values",
                   "SELECT * FROM counter_values WHERE record = ?1 AND launch = ?2 ORDER BY ordinal", state);
  return readRecords<model::CounterRecord>(
      database, state, "counters", model::kMaxCounterRecords, {},
      [&](RowReader& row, std::int64_t id, model::CounterRecord& record) {
        readLaunches(row, launches, state, id, record.launches, kLaunchOfCounters,
                     [&](RowReader&, model::LaunchCounters& launch) {
                       readValues(values, state, id, std::int64_t(record.launches.size()) - 1, launch.values);
                     });
      });
}

}  // namespace stridescope::archive
