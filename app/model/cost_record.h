// What the time of a reduction can be made of, as a GPU was measured: the reduction, the same grids with
// empty kernels, and what this GPU does at most. What each part comes to is derived from it
// (analysis/time_parts.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/describe.h"
#include "model/experiment.h"
#include "model/trace.h"

namespace stridescope::model {

// What a GPU does at most, and how quickly at best: measured, except where it says otherwise. 0: not known.
struct GpuLimits {
  unsigned multiprocessors = 0;       // as the driver tells
  double clockMegahertz = 0;          // a multiprocessor's, while one thread runs
  double readGigabytesPerSecond = 0;  // 10^9 bytes; a pass only reads memory far larger than L2
  double latencyNanoseconds = 0;      // one load's from device memory, past the caches
  double launchMicroseconds = 0;      // an empty kernel of one block, between two events on an idle stream
  friend bool operator==(const GpuLimits&, const GpuLimits&) = default;
};

struct LaunchCost {
  std::uint64_t grid = 0;       // blocks
  std::uint64_t block = 0;      // threads of a block
  unsigned registers = 0;       // per thread
  unsigned residentBlocks = 0;  // that fit on a multiprocessor at once, as the driver computes
  friend bool operator==(const LaunchCost&, const LaunchCost&) = default;
};

struct CostRecord {
  Experiment experiment;   // its launch, block, schedule and data say nothing here
  std::string kernelHash;  // hashOf the kernel's text
  Executor executor{};     // a GPU
  GpuLimits limits{};
  unsigned runs = 0;  // how often the reduction ran, and the empty kernels
  // The times from the first launch to the last: medians over the runs, and the reduction's quartiles. The
  // input is not in L2.
  double microseconds = 0, lowerQuartile = 0, upperQuartile = 0;
  double emptyMicroseconds = 0;        // the time of empty kernels in the same grids
  std::vector<LaunchCost> launches{};  // all of the reduction's, in order
  friend bool operator==(const CostRecord&, const CostRecord&) = default;
};

inline constexpr std::size_t kMaxCosts = 1 << 14;  // per recording

// The first thing wrong with it, as a clause, or nothing.
std::optional<std::string> faultOf(const CostRecord& record);

// Whether it tells of this experiment, whatever its data are.
bool tellsOf(const CostRecord& record, const Experiment& experiment);

template <class Fields, Described<GpuLimits> Value>
constexpr void describe(Fields&& fields, Value& limits) {
  fields("multiprocessors", limits.multiprocessors);
  fields("clock_megahertz", limits.clockMegahertz);
  fields("read_gigabytes_per_second", limits.readGigabytesPerSecond);
  fields("latency_nanoseconds", limits.latencyNanoseconds);
  fields("launch_microseconds", limits.launchMicroseconds);
}

template <class Fields, Described<LaunchCost> Value>
constexpr void describe(Fields&& fields, Value& launch) {
  fields("grid", launch.grid);
  fields("block", launch.block);
  fields("registers", launch.registers);
  fields("resident_blocks", launch.residentBlocks);
}

template <class Fields, Described<CostRecord> Value>
constexpr void describe(Fields&& fields, Value& record) {
  fields("experiment", record.experiment);
  fields("kernel_sha256", record.kernelHash);
  fields("executor", record.executor);
  fields("limits", record.limits);
  fields("runs", record.runs);
  fields("microseconds", record.microseconds);
  fields("lower_quartile", record.lowerQuartile);
  fields("upper_quartile", record.upperQuartile);
  fields("empty_microseconds", record.emptyMicroseconds);
  fields("launches", record.launches);
}

}  // namespace stridescope::model
