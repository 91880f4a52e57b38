#include "archive/recording_measured.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <numeric>
#include <optional>

#include "model/clock_record.h"

namespace stridescope::archive {
namespace {

// The comments stay in the file: `.schema` of the sqlite3 tool shows them.
constexpr std::array<RecordingTable, 1> kCodeTables{{
    {"machine_codes", R"(CREATE TABLE machine_codes(
  id INTEGER PRIMARY KEY,
  variant TEXT NOT NULL,
  type TEXT NOT NULL,
  op TEXT NOT NULL,
  combine TEXT NOT NULL,            -- of the operator custom; else empty
  identity TEXT NOT NULL,
  identity_bits INTEGER NOT NULL,
  threads INTEGER NOT NULL,         -- of a block
  kernel_sha256 TEXT NOT NULL,
  engine TEXT NOT NULL,             -- gpu
  device TEXT NOT NULL,
  compute_capability TEXT NOT NULL,
  driver TEXT NOT NULL,
  compiler TEXT NOT NULL,
  recorded_on TEXT NOT NULL,        -- ISO 8601, UTC
  code_kind TEXT NOT NULL,          -- SASS, PTX
  target TEXT NOT NULL,             -- sm_90
  code TEXT NOT NULL                -- a line each: the line of the kernel's text or 0, a tab, the instruction
))"},
}};

constexpr RowShape kCodeRow{.renamed = {{"kind", "code_kind"}}};

// False unless it is lines as listingOf() writes them.
bool readLines(const std::string& text, std::vector<model::CodeLine>& lines) {
  for (const char *at = text.data(), *const end = at + text.size(); at != end;) {
    model::CodeLine line;
    const auto [after, error] = std::from_chars(at, end, line.line);
    const char* const newline = std::find(after, end, '\n');
    if (error != std::errc() || after == end || *after != '\t' || newline == end ||
        lines.size() == model::kMaxCodeLines)
      return false;
    line.text.assign(after + 1, newline);
    lines.push_back(std::move(line));
    at = newline + 1;
  }
  return true;
}

}  // namespace

std::span<const RecordingTable> codeTables() { return kCodeTables; }

std::string listingOf(const model::MachineCode& code) {
  std::string text;
  for (const model::CodeLine& line : code.lines) text += std::to_string(line.line) + "\t" + line.text + "\n";
  return text;
}

bool writeCodes(sqlite3* database, std::span<const model::MachineCode> codes) {
  RowWriter rows(database, "machine_codes");
  for (std::size_t id = 1; id <= codes.size(); ++id) {
    const std::string text = listingOf(codes[id - 1]);
    setRecord(rows, id, codes[id - 1], kCodeRow);
    rows.set("code", std::string_view(text));
    if (!rows.write()) return false;
  }
  return true;
}

std::vector<model::MachineCode> readCodeTables(sqlite3* database, ReadState& state) {
  return readRecords<model::MachineCode>(database, state, "machine_codes", model::kMaxMachineCodes, kCodeRow,
                                         [](RowReader& row, std::int64_t, model::MachineCode& code) {
                                           const int column = row.column("code");
                                           if (!readLines(row.text(column), code.lines))
                                             row.fault(column, "is no listing");
                                         });
}

namespace {

// The comments stay in the file: `.schema` of the sqlite3 tool shows them.
constexpr std::array<RecordingTable, 2> kCostTables{{
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

std::span<const RecordingTable> costTables() { return kCostTables; }

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

namespace {

// The comments stay in the file: `.schema` of the sqlite3 tool shows them.
constexpr std::array<RecordingTable, 3> kCounterTables{{
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

std::span<const RecordingTable> counterTables() { return kCounterTables; }

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

namespace {

// The comments stay in the file: `.schema` of the sqlite3 tool shows them.
constexpr std::array<RecordingTable, 2> kTimelineTables{{
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

std::span<const RecordingTable> timelineTables() { return kTimelineTables; }

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

namespace {

constexpr unsigned kBitsOfAByte = 7;
constexpr std::uint8_t kMoreFollow = 0x80;

void append(std::vector<std::uint8_t>& bytes, std::uint64_t number) {
  for (; number >= kMoreFollow; number >>= kBitsOfAByte) bytes.push_back(std::uint8_t(number | kMoreFollow));
  bytes.push_back(std::uint8_t(number));
}

std::uint64_t folded(std::uint64_t difference) {
  const auto number = std::int64_t(difference);
  return (std::uint64_t(number) << 1) ^ std::uint64_t(number >> 63);
}
std::uint64_t unfolded(std::uint64_t number) { return (number >> 1) ^ (~(number & 1) + 1); }

class Numbers {
 public:
  explicit Numbers(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  std::optional<std::uint64_t> next() {
    std::uint64_t number = 0;
    for (unsigned shift = 0; at_ < bytes_.size() && shift < 64; shift += kBitsOfAByte) {
      const std::uint8_t byte = bytes_[at_++];
      number |= std::uint64_t(byte & ~kMoreFollow & 0xff) << shift;
      if ((byte & kMoreFollow) == 0) return number;
    }
    return std::nullopt;
  }
  bool atEnd() const { return at_ == bytes_.size(); }

 private:
  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
};

}  // namespace

PackedBlocks packBlocks(std::span<const model::BlockRun> blocks) {
  PackedBlocks packed;
  if (blocks.empty()) return packed;
  packed.firstStart = std::ranges::min_element(blocks, {}, &model::BlockRun::start)->start;
  std::uint64_t step = 0;
  for (const model::BlockRun& block : blocks)
    step = std::gcd(std::gcd(step, block.start - packed.firstStart), std::uint64_t{block.nanoseconds});
  packed.step = step == 0 || step > kMaxStep ? 1 : step;
  std::uint64_t before = packed.firstStart;
  for (const model::BlockRun& block : blocks) {
    // The difference of multiples of the step is one, whichever is greater.
    const bool later = block.start >= before;
    const std::uint64_t steps = (later ? block.start - before : before - block.start) / packed.step;
    append(packed.bytes, folded(later ? steps : ~steps + 1));
    append(packed.bytes, block.nanoseconds / packed.step);
    append(packed.bytes, block.multiprocessor);
    before = block.start;
  }
  return packed;
}

bool unpackBlocks(const PackedBlocks& packed, std::size_t count, std::vector<model::BlockRun>& blocks) {
  constexpr std::uint64_t kLimit = std::numeric_limits<unsigned>::max();
  if (packed.step == 0 || packed.step > kMaxStep) return false;
  Numbers numbers(packed.bytes);
  std::uint64_t start = packed.firstStart;
  blocks.clear();
  for (std::size_t i = 0; i < count; ++i) {
    const auto difference = numbers.next(), duration = numbers.next(), multiprocessor = numbers.next();
    if (!difference || !duration || !multiprocessor) return false;
    start +=
        unfolded(*difference) * packed.step;  // modulo 2^64: a start out of range is refused by its record
    if (*duration > kLimit / packed.step || *multiprocessor > kLimit) return false;
    blocks.push_back({start, unsigned(*duration * packed.step), unsigned(*multiprocessor)});
  }
  return numbers.atEnd();
}

}  // namespace stridescope::archive
