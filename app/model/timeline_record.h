// Where and when each block of a reduction ran on a GPU, as the marks of one run said. Kept beside traces,
// keyed by experiment; waves, slots and the tail are derived from it (analysis/grid_timeline.h), never
// stored.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/describe.h"
#include "model/experiment.h"
#include "model/trace.h"

namespace stridescope::model {

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
inline constexpr unsigned kMaxMultiprocessors = 1 << 12;

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

}  // namespace stridescope::model
