#include "archive/recording_timelines.h"

#include "archive/measured_rows.h"
#include "archive/packed_blocks.h"

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

}  // namespace

std::span<const RecordingTable> timelineTables() { return kTables; }

bool writeTimelines(sqlite3* database, std::span<const model::TimelineRecord> timelines) {
  RowWriter records(database, "timelines"), launches(database, "timeline_launches");
  PackedBlocks packed;  // the blocks of the launch that is written
  const auto setBlocks = [&](RowWriter& row, const model::LaunchTimeline& launch) {
    packed = packBlocks(launch.blocks);
    row.set("grid", launch.blocks.size());
    row.set("first_start", packed.firstStart);
    row.set("step", packed.step);
    row.set("blocks", std::span<const std::uint8_t>(packed.bytes));
  };
  for (std::size_t id = 1; id <= timelines.size(); ++id) {
    const model::TimelineRecord& record = timelines[id - 1];
    setRecord(records, id, record, kTimelineRow);
    if (!writeWithLaunches(records, id, launches, record.launches, kLaunchOfTimeline, setBlocks))
      return false;
  }
  return true;
}

std::vector<model::TimelineRecord> readTimelineTables(sqlite3* database, ReadState& state) {
  std::uint64_t allBlocks = 0;  // blocks of all records
  const auto readBlocks = [&](RowReader& row, model::LaunchTimeline& launch) {
    const auto blocks = std::uint64_t(row.integer(row.column("grid"), 1, model::kMaxTimelineBlocks));
    allBlocks += blocks;
    if (allBlocks > model::kMaxRecordedBlocks) row.fault(row.column("grid"), "counts too many blocks");
    const PackedBlocks packed{
        .firstStart = row.bits(row.column("first_start")),
        .step = std::uint64_t(row.integer(row.column("step"), 1, std::int64_t(kMaxStep))),
        .bytes = row.blob(row.column("blocks"))};
    if (state.failed()) return;
    if (!unpackBlocks(packed, blocks, launch.blocks)) row.fault(row.column("blocks"), "holds no such blocks");
  };
  RowReader launches = launchReader(database, state, "timeline_launches");
  return readRecords<model::TimelineRecord>(
      database, state, "timelines", model::kMaxTimelines, kTimelineRow,
      [&](RowReader& row, std::int64_t id, model::TimelineRecord& record) {
        readLaunches(row, launches, state, id, record.launches, kLaunchOfTimeline, readBlocks);
      });
}

}  // namespace stridescope::archive
