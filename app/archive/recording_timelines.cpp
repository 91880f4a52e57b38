#include "archive/recording_timelines.h"

#include "archive/packed_blocks.h"
#include "archive/row_shapes.h"

namespace stridescope::archive {
namespace {

// The comments stay in the file: `.schema` of the sqlite3 tool shows them.
constexpr std::array<RecordingTable, 2> kTables{{
    {"timelines", R"(CREATE TABLE timelines(
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
  multiprocessors INTEGER NOT NULL, -- of the GPU
  runs INTEGER NOT NULL,            -- with marks, and as many without
  clean_microseconds REAL NOT NULL,   -- of the reduction, without marks: the median
  marked_microseconds REAL NOT NULL,  -- with them
  nanoseconds INTEGER NOT NULL,     -- of the run that is kept, from its first event to its last
  placed_within INTEGER NOT NULL,   -- nanoseconds: how exactly the first event is placed
  launch_count INTEGER NOT NULL
))"},
    {"timeline_launches", R"(CREATE TABLE timeline_launches(
  record INTEGER NOT NULL,          -- timelines.id
  launch INTEGER NOT NULL,          -- from 0
  block INTEGER NOT NULL,           -- threads of a block
  resident_blocks INTEGER NOT NULL, -- that fit on a multiprocessor at once
  grid INTEGER NOT NULL,            -- blocks
  first_start INTEGER NOT NULL,     -- nanoseconds from the run's first event to the first block's start
  step INTEGER NOT NULL,            -- nanoseconds: the unit of the packed times
  blocks BLOB NOT NULL,             -- packed: start, duration and multiprocessor of each
  PRIMARY KEY(record, launch)
) WITHOUT ROWID)"},
}};

constexpr RowShape kTimelineRow{.limits = {{"multiprocessors", 1, model::kMaxMultiprocessors},
                                           {"clean_microseconds", 0, 1'000'000'000'000},
                                           {"marked_microseconds", 0, 1'000'000'000'000}}};
constexpr RowShape kLaunchOfTimeline{.limits = {{"block", 1, model::kMaxThreads}}};
constexpr std::int64_t kMaxStep = std::numeric_limits<unsigned>::max();

class TimelineReader {
 public:
  TimelineReader(sqlite3* database, ReadState& state) : database_(database), state_(state) {}

  std::vector<model::TimelineRecord> read() {
    std::vector<model::TimelineRecord> records;
    RowReader row(database_, "timelines", "SELECT * FROM timelines ORDER BY id", state_);
    while (row.next()) {
      if (records.size() == model::kMaxTimelines) row.fault(row.column("id"), "counts too many of them");
      model::TimelineRecord& record = records.emplace_back();
      row.expect(row.column("id"), records.size());
      readFields(row, record.experiment, kExperimentRow);
      readFields(row, record.experiment.custom);
      readFields(row, record, kTimelineRow);
      readExecutor(row, record.executor);
      const std::size_t launches = row.count("launch_count", model::kMaxLaunches);
      readLaunches(std::int64_t(records.size()), launches, record);
    }
    return records;
  }

 private:
  void readLaunches(std::int64_t id, std::size_t count, model::TimelineRecord& record) {
    RowReader row(database_, "timeline_launches",
                  "SELECT * FROM timeline_launches WHERE record = ?1 ORDER BY launch", state_);
    for (row.start({id}); row.next();) {
      row.expect(row.column("launch"), record.launches.size());
      if (record.launches.size() == count) row.fault(row.column("launch"), "counts too many of them");
      const auto blocks = std::uint64_t(row.integer(row.column("grid"), 1, model::kMaxTimelineBlocks));
      blocks_ += blocks;
      if (blocks_ > model::kMaxRecordedBlocks) row.fault(row.column("grid"), "counts too many blocks");
      PackedBlocks packed{.firstStart = row.bits(row.column("first_start")),
                          .step = std::uint64_t(row.integer(row.column("step"), 1, kMaxStep)),
                          .bytes = row.blob(row.column("blocks"))};
      if (state_.failed()) return;
      model::LaunchTimeline& launch = record.launches.emplace_back();
      readFields(row, launch, kLaunchOfTimeline);
      if (!unpackBlocks(packed, blocks, launch.blocks))
        row.fault(row.column("blocks"), "holds no such blocks");
    }
    row.expectCount(record.launches.size(), count);
  }

  sqlite3* database_;
  ReadState& state_;
  std::uint64_t blocks_ = 0;  // of all records
};

}  // namespace

std::span<const RecordingTable> timelineTables() { return kTables; }

bool writeTimelines(sqlite3* database, std::span<const model::TimelineRecord> timelines) {
  RowWriter records(database, "timelines"), launches(database, "timeline_launches");
  for (std::size_t id = 1; id <= timelines.size(); ++id) {
    const model::TimelineRecord& record = timelines[id - 1];
    records.set("id", id);
    setFields(records, record.experiment, kExperimentRow);
    setFields(records, record.experiment.custom);
    setFields(records, record, kTimelineRow);
    setFields(records, record.executor, kExecutorRow);
    records.set("launch_count", record.launches.size());
    if (!records.write()) return false;
    for (std::size_t i = 0; i < record.launches.size(); ++i) {
      const model::LaunchTimeline& launch = record.launches[i];
      const PackedBlocks packed = packBlocks(launch.blocks);
      launches.set("record", id);
      launches.set("launch", i);
      setFields(launches, launch, kLaunchOfTimeline);
      launches.set("grid", launch.blocks.size());
      launches.set("first_start", packed.firstStart);
      launches.set("step", packed.step);
      launches.set("blocks", std::span<const std::uint8_t>(packed.bytes));
      if (!launches.write()) return false;
    }
  }
  return true;
}

std::vector<model::TimelineRecord> readTimelineTables(sqlite3* database, ReadState& state) {
  return TimelineReader(database, state).read();
}

}  // namespace stridescope::archive
