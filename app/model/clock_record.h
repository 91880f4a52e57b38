// What the GPU's clock said of one block: the marks of its warps, run after run. Kept beside traces, keyed by
// experiment; cycles a round are derived from it (analysis/round_cycles.h), never stored.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/describe.h"
#include "clocking/clock_control.h"
#include "model/experiment.h"
#include "model/quantity.h"
#include "model/trace.h"
#include "model/trace_check.h"

namespace stridescope::model {

using clocking::Mark;
using clocking::MarkKind;

// Which grid the clocked block ran in.
enum class ClockedGrid : std::uint8_t {
  Alone,  // the only block of its launch
  Full,   // among kFullGridElements elements' blocks, the one in the middle
};
inline constexpr std::array kClockedGrids{ClockedGrid::Alone, ClockedGrid::Full};
std::string_view nameOf(ClockedGrid grid);  // "alone", "full grid"
inline constexpr std::uint64_t kFullGridElements = std::uint64_t{1} << 24;

// One warp's marks in one run, in order: Start first, End last. Times are cycles since the run's first mark
// among those that are kept.
using WarpMarks = std::vector<Mark>;

struct ClockRecord {
  std::string variant;  // a catalogue id
  ElementType type = ElementType::Int;
  Operator op = Operator::Add;
  CustomOperator custom{};  // for Operator::Custom
  unsigned threads = 0;     // per block
  std::string kernelHash;   // hashOf the kernel's text
  ClockedGrid company = ClockedGrid::Alone;
  std::uint64_t elements = 0;         // in the launch's input
  std::uint64_t grid = 0, block = 0;  // how many blocks the launch had, and which of them was clocked
  Executor executor{};                // a GPU
  // The launch's time, without and with marks: medians over the runs.
  double cleanMicroseconds = 0, clockedMicroseconds = 0;
  std::vector<WarpMarks> firstWarp{};  // one per run: the marks of the block's first warp
  std::vector<WarpMarks> warps{};      // one per warp, from the run whose block took the median of cycles
  friend bool operator==(const ClockRecord&, const ClockRecord&) = default;
};

inline constexpr std::size_t kMaxClockedRuns = 1 << 10;
inline constexpr std::size_t kMaxMarks = 1 << 10;  // per warp

// The first thing wrong with it, as a clause, or nothing.
std::optional<std::string> faultOf(const ClockRecord& record);

// Whether it tells of this experiment's kernel, type, operator and block size. Only the rounds that load
// depend on n (analysis/round_cycles.h), and hardly anything depends on the data; merges are not clocked.
bool tellsOf(const ClockRecord& record, const Experiment& experiment);

constexpr auto allOf(ClockedGrid) { return kClockedGrids; }

// The limits of one recording: records, and the marks of all of them together.
inline constexpr std::size_t kMaxClocks = 1 << 12, kMaxMarksOfClocks = std::size_t{1} << 22;
std::size_t markCount(const ClockRecord& record);

template <class Fields, Described<ClockRecord> Value>
constexpr void describe(Fields&& fields, Value& record) {
  fields("variant", record.variant);
  fields("type", record.type);
  fields("op", record.op);
  fields("custom", record.custom);
  fields("threads", record.threads);
  fields("kernel_sha256", record.kernelHash);
  fields("company", record.company);
  fields("elements", record.elements);
  fields("grid", record.grid);
  fields("block", record.block);
  fields("executor", record.executor);
  fields("clean_microseconds", record.cleanMicroseconds);
  fields("clocked_microseconds", record.clockedMicroseconds);
  fields("first_warp", record.firstWarp);
  fields("warps", record.warps);
}

// The marks stand in tables of their own (archive/recording_clocks.h).
template <>
inline constexpr Quantity kQuantity<ClockRecord>{
    .table = "clocks",
    .one = "cycles",
    .many = "blocks with cycles",
    .where = "a block's cycles",
    .most = kMaxClocks,
    .format = 5,
    .parts = "marks of the clock",
    .mostParts = kMaxMarksOfClocks,
    .fields = {{"combine", "of the operator custom; else empty"},
               {"threads", "of a block", 1, kMaxThreads},
               {"company", "alone, full grid"},
               {"elements", "of the launch's input"},
               {"grid", "blocks of the launch"},
               {"block", "the one that was clocked"},
               {"clean_microseconds", "of the launch, without marks: the median", 0, kMaxStoredTime, 39},
               {"clocked_microseconds", "with them", 0, kMaxStoredTime, 39}}};

}  // namespace stridescope::model

// The runtime's own header includes nothing of the program's, so its structure is described here.
namespace clocking {

inline constexpr std::array kMarkKinds{MarkKind::None, MarkKind::Start, MarkKind::Arrive, MarkKind::Leave,
                                       MarkKind::End};
std::string_view nameOf(MarkKind kind);  // "start", "arrive", "leave", "end"
constexpr auto allOf(MarkKind) { return kMarkKinds; }

template <class Fields, stridescope::Described<Mark> Value>
constexpr void describe(Fields&& fields, Value& mark) {
  fields("clock", mark.clock);
  fields("site", mark.site);
  fields("kind", mark.kind);
}

}  // namespace clocking

namespace stridescope::model {

// Where and when each block of a reduction ran on a GPU, as the marks of one run said. Kept beside traces,
// keyed by experiment; waves, slots and the tail are derived from it (analysis/grid_timeline.h), never
// stored.

struct BlockRun {
  std::uint64_t start = 0;      // when its first thread starts, nanoseconds since the run's first event
  unsigned nanoseconds = 0;     // from there to that thread's end
  unsigned multiprocessor = 0;  // its number
  friend bool operator==(const BlockRun&, const BlockRun&) = default;
};

struct LaunchTimeline {
  std::uint64_t block = 0;         // threads per block
  unsigned residentBlocks = 0;     // how many fit on a multiprocessor at once, as the driver computes
  std::vector<BlockRun> blocks{};  // all of the grid, in their order
  friend bool operator==(const LaunchTimeline&, const LaunchTimeline&) = default;
};

struct TimelineRecord {
  Experiment experiment;         // its launch, block, schedule and data say nothing here
  std::string kernelHash;        // hashOf the kernel's text
  Executor executor{};           // a GPU
  unsigned multiprocessors = 0;  // that GPU's
  unsigned runs = 0;             // how often each kernel ran, the clean and the marked; a marked run is kept
  // The reduction's times between its events: medians over the runs, without marks and with them.
  double cleanMicroseconds = 0, markedMicroseconds = 0;
  // The run that is kept is the one with the median time. `nanoseconds` is the time from its first event to
  // its last; `placedWithin` is how exactly the first event is placed among the marks.
  std::uint64_t nanoseconds = 0, placedWithin = 0;
  std::vector<LaunchTimeline> launches{};  // all of the reduction's, in order
  friend bool operator==(const TimelineRecord&, const TimelineRecord&) = default;
};

inline constexpr std::size_t kMaxTimelines = 1 << 12;                        // per recording
inline constexpr std::uint64_t kMaxTimelineBlocks = std::uint64_t{1} << 21;  // per record, all launches'
inline constexpr std::uint64_t kMaxRecordedBlocks = std::uint64_t{1} << 24;  // per recording, all records'

std::uint64_t blockCount(const TimelineRecord& record);

// The first thing wrong with it, as a clause, or nothing.
std::optional<std::string> faultOf(const TimelineRecord& record);

// Whether it tells of this experiment, whatever its data are.
bool tellsOf(const TimelineRecord& record, const Experiment& experiment);

template <class Fields, Described<BlockRun> Value>
constexpr void describe(Fields&& fields, Value& block) {
  fields("start", block.start);
  fields("nanoseconds", block.nanoseconds);
  fields("multiprocessor", block.multiprocessor);
}

template <class Fields, Described<LaunchTimeline> Value>
constexpr void describe(Fields&& fields, Value& launch) {
  fields("block", launch.block);
  fields("resident_blocks", launch.residentBlocks);
  fields("blocks", launch.blocks);
}

template <class Fields, Described<TimelineRecord> Value>
constexpr void describe(Fields&& fields, Value& record) {
  fields("experiment", record.experiment);
  fields("kernel_sha256", record.kernelHash);
  fields("executor", record.executor);
  fields("multiprocessors", record.multiprocessors);
  fields("runs", record.runs);
  fields("clean_microseconds", record.cleanMicroseconds);
  fields("marked_microseconds", record.markedMicroseconds);
  fields("nanoseconds", record.nanoseconds);
  fields("placed_within", record.placedWithin);
  fields("launches", record.launches);
}

// The blocks of a launch stand in its row, packed (archive/row_shapes.h).
template <>
inline constexpr Quantity kQuantity<TimelineRecord>{
    .table = "timelines",
    .one = "timeline",
    .many = "timelines",
    .where = "a timeline",
    .notMeasured = "Only a GPU marks its blocks.",
    .most = kMaxTimelines,
    .format = 7,
    .parts = "blocks in timelines",
    .mostParts = kMaxRecordedBlocks,
    .experiment = kTimedFields,
    .fields = {{"multiprocessors", "of the GPU", 1, kMaxMultiprocessors},
               {"runs", "with marks, and as many without"},
               {"clean_microseconds", "of the reduction, without marks: the median", 0, kMaxStoredTime, 38},
               {"marked_microseconds", "with them", 0, kMaxStoredTime, 38},
               {"nanoseconds", "of the run that is kept, from its first event to its last"},
               {"placed_within", "nanoseconds: how exactly the first event is placed"}},
    .lists = {{.field = "launches",
               .table = "timeline_launches",
               .key = "launch",
               .count = "launch_count",
               .most = kMaxLaunches,
               .fields = {{"block", "threads of a block", 1, kMaxThreads},
                          {"resident_blocks", "that fit on a multiprocessor at once"}}}}};

}  // namespace stridescope::model
