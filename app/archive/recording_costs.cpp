#include "archive/recording_costs.h"

#include "archive/row_shapes.h"
#include "model/timeline_record.h"

namespace stridescope::archive {
namespace {

// The comments stay in the file: `.schema` of the sqlite3 tool shows them.
constexpr std::array<RecordingTable, 2> kTables{{
    {"costs", R"(CREATE TABLE costs(
  id INTEGER PRIMARY KEY,
  variant TEXT NOT NULL,
  type TEXT NOT NULL,
  op TEXT NOT NULL,
  combine TEXT NOT NULL,            -- of the operator custom; else empty
  identity TEXT NOT NULL,
  identity_bits INTEGER NOT NULL,
  threads INTEGER NOT NULL,         -- of a block
  elements INTEGER NOT NULL,        -- of the input
  kernel_sha256 TEXT NOT NULL,
  engine TEXT NOT NULL,             -- gpu
  device TEXT NOT NULL,
  compute_capability TEXT NOT NULL,
  driver TEXT NOT NULL,
  compiler TEXT NOT NULL,
  recorded_on TEXT NOT NULL,        -- ISO 8601, UTC
  multiprocessors INTEGER NOT NULL,           -- of the GPU
  clock_megahertz REAL NOT NULL,              -- of a multiprocessor; 0, as in the next three: not known
  read_gigabytes_per_second REAL NOT NULL,    -- of a pass that only reads
  latency_nanoseconds REAL NOT NULL,          -- of a load from device memory
  launch_microseconds REAL NOT NULL,          -- of an empty kernel of one block
  runs INTEGER NOT NULL,            -- of the reduction, and as many of the empty kernels
  microseconds REAL NOT NULL,       -- of the reduction's launches: the median
  lower_quartile REAL NOT NULL,
  upper_quartile REAL NOT NULL,
  empty_microseconds REAL NOT NULL, -- of empty kernels in the same grids: the median
  launch_count INTEGER NOT NULL
))"},
    {"cost_launches", R"(CREATE TABLE cost_launches(
  record INTEGER NOT NULL,          -- costs.id
  launch INTEGER NOT NULL,          -- from 0
  grid INTEGER NOT NULL,            -- blocks
  block INTEGER NOT NULL,           -- threads of a block
  registers INTEGER NOT NULL,       -- per thread
  resident_blocks INTEGER NOT NULL, -- that fit on a multiprocessor at once
  PRIMARY KEY(record, launch)
) WITHOUT ROWID)"},
}};

constexpr std::int64_t kMaxTime = 1'000'000'000'000;  // microseconds
constexpr RowShape kCostRow{.limits = {{"microseconds", 0, kMaxTime},
                                       {"lower_quartile", 0, kMaxTime},
                                       {"upper_quartile", 0, kMaxTime},
                                       {"empty_microseconds", 0, kMaxTime}}};
constexpr std::int64_t kMaxLimit = 1'000'000'000;
constexpr RowShape kLimitsRow{.limits = {{"multiprocessors", 0, model::kMaxMultiprocessors},
                                         {"clock_megahertz", 0, kMaxLimit},
                                         {"read_gigabytes_per_second", 0, kMaxLimit},
                                         {"latency_nanoseconds", 0, kMaxLimit},
                                         {"launch_microseconds", 0, kMaxLimit}}};
constexpr RowShape kLaunchOfCost{.limits = {{"block", 1, model::kMaxThreads}}};

class CostReader {
 public:
  CostReader(sqlite3* database, ReadState& state) : database_(database), state_(state) {}

  std::vector<model::CostRecord> read() {
    std::vector<model::CostRecord> records;
    RowReader row(database_, "costs", "SELECT * FROM costs ORDER BY id", state_);
    while (row.next()) {
      if (records.size() == model::kMaxCosts) row.fault(row.column("id"), "counts too many of them");
      model::CostRecord& record = records.emplace_back();
      row.expect(row.column("id"), records.size());
      readFields(row, record.experiment, kExperimentRow);
      readFields(row, record.experiment.custom);
      readFields(row, record.limits, kLimitsRow);
      readFields(row, record, kCostRow);
      readExecutor(row, record.executor);
      const std::size_t launches = row.count("launch_count", model::kMaxLaunches);
      readLaunches(std::int64_t(records.size()), launches, record.launches);
    }
    return records;
  }

 private:
  void readLaunches(std::int64_t id, std::size_t count, std::vector<model::LaunchCost>& launches) {
    RowReader row(database_, "cost_launches", "SELECT * FROM cost_launches WHERE record = ?1 ORDER BY launch",
                  state_);
    for (row.start({id}); row.next();) {
      row.expect(row.column("launch"), launches.size());
      if (launches.size() == count) row.fault(row.column("launch"), "counts too many of them");
      if (state_.failed()) return;
      readFields(row, launches.emplace_back(), kLaunchOfCost);
    }
    row.expectCount(launches.size(), count);
  }

  sqlite3* database_;
  ReadState& state_;
};

}  // namespace

std::span<const RecordingTable> costTables() { return kTables; }

bool writeCosts(sqlite3* database, std::span<const model::CostRecord> costs) {
  RowWriter records(database, "costs"), launches(database, "cost_launches");
  for (std::size_t id = 1; id <= costs.size(); ++id) {
    const model::CostRecord& record = costs[id - 1];
    records.set("id", id);
    setFields(records, record.experiment, kExperimentRow);
    setFields(records, record.experiment.custom);
    setFields(records, record.limits, kLimitsRow);
    setFields(records, record, kCostRow);
    setFields(records, record.executor, kExecutorRow);
    records.set("launch_count", record.launches.size());
    if (!records.write()) return false;
    for (std::size_t i = 0; i < record.launches.size(); ++i) {
      launches.set("record", id);
      launches.set("launch", i);
      setFields(launches, record.launches[i], kLaunchOfCost);
      if (!launches.write()) return false;
    }
  }
  return true;
}

std::vector<model::CostRecord> readCostTables(sqlite3* database, ReadState& state) {
  return CostReader(database, state).read();
}

}  // namespace stridescope::archive
