#include "archive/recording_counters.h"

#include "archive/row_shapes.h"

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

class CounterReader {
 public:
  CounterReader(sqlite3* database, ReadState& state) : database_(database), state_(state) {}

  std::vector<model::CounterRecord> read() {
    std::vector<model::CounterRecord> records;
    RowReader row(database_, "counters", "SELECT * FROM counters ORDER BY id", state_);
    while (row.next()) {
      if (records.size() == model::kMaxCounterRecords) row.fault(row.column("id"), "counts too many of them");
      model::CounterRecord& record = records.emplace_back();
      row.expect(row.column("id"), records.size());
      readFields(row, record.experiment, kExperimentRow);
      readFields(row, record.experiment.custom);
      readFields(row, record);
      readExecutor(row, record.executor);
      const std::size_t launches = row.count("launch_count", model::kMaxLaunches);
      readLaunches(std::int64_t(records.size()), launches, record);
    }
    return records;
  }

 private:
  void readLaunches(std::int64_t id, std::size_t count, model::CounterRecord& record) {
    RowReader row(database_, "counter_launches",
                  "SELECT * FROM counter_launches WHERE record = ?1 ORDER BY launch", state_);
    for (row.start({id}); row.next();) {
      row.expect(row.column("launch"), record.launches.size());
      if (record.launches.size() == count) row.fault(row.column("launch"), "counts too many of them");
      if (state_.failed()) return;
      readFields(row, record.launches.emplace_back(), kLaunchOfCounters);
      readValues(id, record.launches);
    }
    row.expectCount(record.launches.size(), count);
  }

  void readValues(std::int64_t id, std::vector<model::LaunchCounters>& launches) {
    auto& values = launches.back().values;
    RowReader row(database_, "counter_values",
                  "SELECT * FROM counter_values WHERE record = ?1 AND launch = ?2 ORDER BY ordinal", state_);
    for (row.start({id, std::int64_t(launches.size()) - 1}); row.next();) {
      row.expect(row.column("ordinal"), values.size());
      if (values.size() == model::kCounters.size())
        row.fault(row.column("ordinal"), "counts too many of them");
      if (state_.failed()) return;
      readFields(row, values.emplace_back(), kValueRow);
    }
  }

  sqlite3* database_;
  ReadState& state_;
};

}  // namespace

std::span<const RecordingTable> counterTables() { return kTables; }

bool writeCounters(sqlite3* database, std::span<const model::CounterRecord> counters) {
  RowWriter records(database, "counters"), launches(database, "counter_launches"),
      values(database, "counter_values");
  for (std::size_t id = 1; id <= counters.size(); ++id) {
    const model::CounterRecord& record = counters[id - 1];
    records.set("id", id);
    setFields(records, record.experiment, kExperimentRow);
    setFields(records, record.experiment.custom);
    setFields(records, record);
    setFields(records, record.executor, kExecutorRow);
    records.set("launch_count", record.launches.size());
    if (!records.write()) return false;
    for (std::size_t launch = 0; launch < record.launches.size(); ++launch) {
      launches.set("record", id);
      launches.set("launch", launch);
      setFields(launches, record.launches[launch], kLaunchOfCounters);
      if (!launches.write()) return false;
      for (std::size_t i = 0; i < record.launches[launch].values.size(); ++i) {
        values.set("record", id);
        values.set("launch", launch);
        values.set("ordinal", i);
        setFields(values, record.launches[launch].values[i], kValueRow);
        if (!values.write()) return false;
      }
    }
  }
  return true;
}

std::vector<model::CounterRecord> readCounterTables(sqlite3* database, ReadState& state) {
  return CounterReader(database, state).read();
}

}  // namespace stridescope::archive
