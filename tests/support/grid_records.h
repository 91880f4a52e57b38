// Timelines, costs, prices of steps and machine code made by hand.
#pragma once

#include <cstdint>
#include <string>

#include "model/clock_record.h"
#include "model/machine_code.h"
#include "model/timing_record.h"

namespace stridescope::support {

inline model::Executor standInGpu() {
  return {.kind = model::EngineKind::Gpu,
          .device = "NVIDIA H100 80GB HBM3",
          .computeCapability = "9.0",
          .driver = "580.1",
          .compiler = "NVRTC 13.0",
          .recordedOn = "2026-11-24T03:00:00Z"};
}

inline model::Experiment gridExperiment(const std::string& variant, std::uint64_t elements) {
  return {.variant = variant, .threads = 256, .elements = elements};
}

// Two launches on four multiprocessors with two places each. In the first, blocks 0 to 7 start at 1000 ns and
// take 1000 ns; blocks 8 to 11 follow at once on the first two and end at 3000. The second is one block on
// the last multiprocessor, from 4000 to 4500 ns. The run takes 5000 ns.
inline model::TimelineRecord smallTimeline(const std::string& variant = "sequential") {
  model::TimelineRecord record{.experiment = gridExperiment(variant, 3072),
                               .kernelHash = "1234",
                               .executor = standInGpu(),
                               .multiprocessors = 4,
                               .runs = 21,
                               .cleanMicroseconds = 4.9,
                               .markedMicroseconds = 5.0,
                               .nanoseconds = 5000,
                               .placedWithin = 100};
  model::LaunchTimeline first{.block = 256, .residentBlocks = 2};
  for (unsigned block = 0; block < 8; ++block) first.blocks.push_back({1000, 1000, block / 2});
  for (unsigned block = 8; block < 12; ++block) first.blocks.push_back({2000, 1000, (block - 8) / 2});
  record.launches = {first, {.block = 256, .residentBlocks = 2, .blocks = {{4000, 500, 3}}}};
  return record;
}

// Round numbers: 100 multiprocessors at 1000 MHz, 1000 GB/s, a latency of 500 ns, an empty launch of 5 us. A
// reduction of 10^7 ints in 100 us, of which empty kernels take 30, by two launches of 1000 blocks and 1.
inline model::CostRecord roundCost(const std::string& variant = "sequential") {
  return {.experiment = gridExperiment(variant, 10'000'000),
          .kernelHash = "1234",
          .executor = standInGpu(),
          .limits = {.multiprocessors = 100,
                     .clockMegahertz = 1000,
                     .readGigabytesPerSecond = 1000,
                     .latencyNanoseconds = 500,
                     .launchMicroseconds = 5},
          .runs = 21,
          .microseconds = 100,
          .lowerQuartile = 99,
          .upperQuartile = 101,
          .emptyMicroseconds = 30,
          .launches = {{.grid = 1000, .block = 256, .registers = 16, .residentBlocks = 8},
                       {.grid = 1, .block = 256, .registers = 16, .residentBlocks = 8}}};
}

// The prices of a variant whose block of 256 passes nine marks: the load's barrier, and one behind each of
// its eight strides, of which sequential has the largest first. A grid that does nothing takes 1 us, the load
// 2, sequential's strides 3 to 10, the write 40: 95. A stride costs as much in another variant, which has the
// smallest first, but that 128 costs 50 us more. Without what ends it the kernel takes 80.
inline model::PeelRecord smallPrices(const std::string& variant = "sequential") {
  model::PeelRecord record{.experiment = gridExperiment(variant, 3072),
                           .kernelHash = "1234",
                           .executor = standInGpu(),
                           .runs = 61,
                           .cleanMicroseconds = 80,
                           .cleanLow = 79.5,
                           .cleanHigh = 80.5};
  for (unsigned i = 0; i <= 9; ++i) {
    double time = 1 + i;
    if (variant != "sequential" && i > 1) time = 12 - i + (i == 9 ? 50 : 0);
    record.steps.push_back({.marks = i, .microseconds = time, .low = time - 0.5, .high = time + 0.5});
  }
  record.steps.push_back({.marks = clocking::kAllMarks, .microseconds = 40, .low = 39, .high = 41});
  for (const model::PeelStep& step : record.steps) record.wholeMicroseconds += step.microseconds;
  return record;
}

// Code for sequential's text: a barrier from its line 9, a branch with a predicate from line 11, a predicated
// addition from line 13, and an instruction from no line.
inline model::MachineCode smallCode(const std::string& variant = "sequential") {
  return {.experiment = {.variant = variant, .threads = 256},
          .kernelHash = "1234",
          .executor = standInGpu(),
          .target = "sm_90",
          .lines = {{8, "LDG.E R2, desc[UR8][R2.64]"},
                    {9, "BAR.SYNC.DEFER_BLOCKING 0x0"},
                    {11, "@!P1 BRA `(.L_x_0)"},
                    {11, ".L_x_1:"},
                    {13, "@!P1 IADD3 R0, R0, R3, RZ"},
                    {0, "EXIT"}}};
}

}  // namespace stridescope::support
