#include "archive/recording_costs.h"

#include "archive/measured_rows.h"
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

}  // namespace

std::span<const RecordingTable> costTables() { return kTables; }

bool writeCosts(sqlite3* database, std::span<const model::CostRecord> costs) {
  RowWriter records(database, "costs"), launches(database, "cost_launches");
  for (std::size_t id = 1; id <= costs.size(); ++id) {
    const model::CostRecord& record = costs[id - 1];
    setRecord(records, id, record, kCostRow);
    setFields(records, record.limits, kLimitsRow);
    if (!writeWithLaunches(records, id, launches, record.launches, kLaunchOfCost, kNothingMore)) return false;
  }
  return true;
}

std::vector<model::CostRecord> readCostTables(sqlite3* database, ReadState& state) {
  RowReader launches = launchReader(database, state, "cost_launches");
  return readRecords<model::CostRecord>(database, state, "costs", model::kMaxCosts, kCostRow,
                                        [&](RowReader& row, std::int64_t id, model::CostRecord& record) {
                                          readFields(row, record.limits, kLimitsRow);
                                          readLaunches(row, launches, state, id, record.launches,
                                                       kLaunchOfCost, kNothingMore);
                                        });
}

}  // namespace stridescope::archive
