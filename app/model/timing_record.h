// Timings as plain data: what was timed, where, and every sample that is kept. Statistics are derived from
// the samples (measure/statistics.h), never stored.
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

enum class SubjectKind : std::uint8_t {
  Variant,      // one of the catalogue's: its clean kernels on a GPU
  GpuBaseline,  // what the field uses on a GPU: "cub", "thrust"; and what bounds a reduction there: "floor"
  CpuBaseline,  // what the CPU does without a GPU: "cpu_loop", "cpu_openmp", ...
  SeveralGpus,  // a variant over several GPUs, timed by the host; and "one_gpu", timed in the same way
};
inline constexpr std::array kSubjectKinds{SubjectKind::Variant, SubjectKind::GpuBaseline,
                                          SubjectKind::CpuBaseline, SubjectKind::SeveralGpus};
std::string_view nameOf(SubjectKind kind);  // "variant", "gpu peer", "cpu peer", "several gpus"

// What is timed.
struct TimingSubject {
  SubjectKind kind = SubjectKind::Variant;
  std::string id;  // a catalogue id or a baseline's
  friend bool operator==(const TimingSubject&, const TimingSubject&) = default;
};

// One reduction of n elements, timed.
struct TimingSample {
  std::uint32_t repetition = 0;  // samples of different subjects with the same repetition are a pair
  float microseconds = 0;
  friend bool operator==(const TimingSample&, const TimingSample&) = default;
};

// How a reduction is timed.
struct TimingCase {
  ElementType type = ElementType::Int;
  Operator op = Operator::Add;
  std::uint64_t elements = 0;
  unsigned threads = 0;  // per block; 0: each subject's own number
  bool warmL2 = false;  // true: the same input again and again; false: inputs rotate, nothing lies in a cache
  bool graph = false;   // true: a variant's launches are one CUDA graph
  friend bool operator==(const TimingCase&, const TimingCase&) = default;
};

// The timings of one subject at one case, as a recording keeps them.
struct TimingRecord {
  TimingSubject subject;
  TimingCase timingCase;
  unsigned threads = 0;                     // per block, as it ran; 0 where there are no blocks of ours
  Executor executor;                        // who ran it: kind Host (the CPU's name) or Gpu
  double readCeiling = 0, copyCeiling = 0;  // that GPU's, measured beside it: GB/s; 0: not measured
  std::vector<TimingSample> samples;        // in ascending order of their repetitions; at least one
  friend bool operator==(const TimingRecord&, const TimingRecord&) = default;
};

inline constexpr std::size_t kMaxTimings = 1 << 16;                           // per recording
inline constexpr std::size_t kMaxTimingSamples = 1 << 16;                     // per timing
inline constexpr std::uint64_t kMaxRecordedSamples = std::uint64_t{1} << 24;  // per recording, all timings'
inline constexpr double kMaxCeiling = 1'000'000;                              // GB/s

// The first thing wrong with it, as a clause, or nothing.
std::optional<std::string> faultOf(const TimingRecord& timing);

constexpr auto allOf(SubjectKind) { return kSubjectKinds; }

// The fields as files and messages have them (base/describe.h).
template <class Fields, Described<TimingSubject> Value>
constexpr void describe(Fields&& fields, Value& subject) {
  fields("kind", subject.kind);
  fields("id", subject.id);
}

template <class Fields, Described<TimingSample> Value>
constexpr void describe(Fields&& fields, Value& sample) {
  fields("turn", sample.repetition);
  fields("microseconds", sample.microseconds);
}

template <class Fields, Described<TimingCase> Value>
constexpr void describe(Fields&& fields, Value& timingCase) {
  fields("type", timingCase.type);
  fields("op", timingCase.op);
  fields("elements", timingCase.elements);
  fields("threads", timingCase.threads);
  fields("warm_l2", timingCase.warmL2);
  fields("graph", timingCase.graph);
}

template <class Fields, Described<TimingRecord> Value>
constexpr void describe(Fields&& fields, Value& timing) {
  fields("subject", timing.subject);
  fields("station", timing.timingCase);
  fields("threads", timing.threads);
  fields("executor", timing.executor);
  fields("read_ceiling", timing.readCeiling);
  fields("copy_ceiling", timing.copyCeiling);
  fields("samples", timing.samples);
}

// What the time of a reduction can be made of, as a GPU was measured: the reduction, the same grids with
// empty kernels, and what this GPU does at most. What each part comes to is derived from it
// (analysis/reduction_cost.h).

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

inline constexpr std::size_t kMaxCosts = 1 << 14;         // per recording
inline constexpr std::int64_t kMaxLimit = 1'000'000'000;  // in the units of GpuLimits

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

template <>
inline constexpr Quantity kQuantity<TimingRecord>{.table = "timings",
                                                  .one = "timing",
                                                  .many = "timings",
                                                  .where = "a timing",
                                                  .most = kMaxTimings,
                                                  .format = 2,
                                                  .parts = "samples of timings",
                                                  .mostParts = kMaxRecordedSamples};

template <>
inline constexpr Quantity kQuantity<CostRecord>{
    .table = "costs",
    .one = "cost",
    .many = "costs",
    .where = "a run's cost",
    .notMeasured = "Only a GPU's launches are timed.",
    .most = kMaxCosts,
    .format = 7,
    .experiment = kTimedFields,
    .fields = {{"multiprocessors", "of the GPU", 0, kMaxMultiprocessors, 46},
               {"clock_megahertz", "of a multiprocessor; 0, as in the next three: not known", 0, kMaxLimit,
                46},
               {"read_gigabytes_per_second", "of a pass that only reads", 0, kMaxLimit, 46},
               {"latency_nanoseconds", "of a load from device memory", 0, kMaxLimit, 46},
               {"launch_microseconds", "of an empty kernel of one block", 0, kMaxLimit, 46},
               {"runs", "of the reduction, and as many of the empty kernels"},
               {"microseconds", "of the reduction's launches: the median", 0, kMaxStoredTime},
               {"lower_quartile", {}, 0, kMaxStoredTime},
               {"upper_quartile", {}, 0, kMaxStoredTime},
               {"empty_microseconds", "of empty kernels in the same grids: the median", 0, kMaxStoredTime}},
    .lists = {{.field = "launches",
               .table = "cost_launches",
               .key = "launch",
               .count = "launch_count",
               .most = kMaxLaunches,
               .fields = {{"grid", "blocks"},
                          {"block", "threads of a block", 1, kMaxThreads},
                          {"registers", "per thread"},
                          {"resident_blocks", "that fit on a multiprocessor at once"}}}}};

// What each step of a reduction costs on a GPU: the kernel is ended after none of its marks, after one, and
// so on up to its end, and each time the grid is timed. Neighbouring times differ by what lies between their
// marks, so that the steps add up to the whole. What a step does is derived from a trace
// (analysis/round_cycles.h), never stored.

enum class PeeledPart : std::uint8_t {
  Copy,    // sets back the totals to which blocks add, before the first launch
  Launch,  // of a kernel
  Cpu,     // the copy of what the blocks left, and what the CPU makes of it, after the last launch
};
inline constexpr std::array kPeeledParts{PeeledPart::Copy, PeeledPart::Launch, PeeledPart::Cpu};
std::string_view nameOf(PeeledPart part);  // "copy", "launch", "cpu"
constexpr auto allOf(PeeledPart) { return kPeeledParts; }

// From where the step before it ended to behind so many marks of a thread of the launch (clocking/peeled.h);
// kAllMarks: to the launch's end. The first launch's first step has no mark: its time is that of a grid that
// does nothing. Copies and the CPU's part have neither launch nor marks.
struct PeelStep {
  PeeledPart part = PeeledPart::Launch;
  unsigned launch = 0;
  unsigned marks = 0;
  double microseconds = 0;   // the difference of the medians; noise can make it negative
  double low = 0, high = 0;  // with 95 % confidence, from the differences of the runs
  friend bool operator==(const PeelStep&, const PeelStep&) = default;
};

struct PeelRecord {
  Experiment experiment;   // its launch, block, schedule and data say nothing here
  std::string kernelHash;  // hashOf the kernel's text
  Executor executor{};     // a GPU
  unsigned runs = 0;       // how often the clean kernel ran, and each step to its end
  // The reduction without marks: the median, and where it lies with 95 % confidence. The input is not in L2.
  double cleanMicroseconds = 0, cleanLow = 0, cleanHigh = 0;
  // The reduction with a kernel that can be ended, to its end: the median, the sum of the steps.
  double wholeMicroseconds = 0;
  // The copies as one, if there are any; the marks of the first launch; each further launch as one; the CPU's
  // part, if it has one.
  std::vector<PeelStep> steps{};
  friend bool operator==(const PeelRecord&, const PeelRecord&) = default;
};

inline constexpr std::size_t kMaxPeels = 1 << 12;       // per recording
inline constexpr std::size_t kMaxPeeledMarks = 1 << 8;  // a thread's

// What ending a kernel costs may be so much of its time that the steps' shape holds and their sum does not:
// from 15 % on.
inline bool addsUp(const PeelRecord& record) {
  return record.wholeMicroseconds <= 1.15 * record.cleanMicroseconds;
}

// The first thing wrong with it, as a clause, or nothing.
std::optional<std::string> faultOf(const PeelRecord& record);

// Whether it tells of this experiment, whatever its data are.
bool tellsOf(const PeelRecord& record, const Experiment& experiment);

template <class Fields, Described<PeelStep> Value>
constexpr void describe(Fields&& fields, Value& step) {
  fields("part", step.part);
  fields("launch", step.launch);
  fields("marks", step.marks);
  fields("microseconds", step.microseconds);
  fields("low", step.low);
  fields("high", step.high);
}

template <class Fields, Described<PeelRecord> Value>
constexpr void describe(Fields&& fields, Value& record) {
  fields("experiment", record.experiment);
  fields("kernel_sha256", record.kernelHash);
  fields("executor", record.executor);
  fields("runs", record.runs);
  fields("clean_microseconds", record.cleanMicroseconds);
  fields("clean_low", record.cleanLow);
  fields("clean_high", record.cleanHigh);
  fields("whole_microseconds", record.wholeMicroseconds);
  fields("steps", record.steps);
}

template <>
inline constexpr Quantity kQuantity<PeelRecord>{
    .table = "peels",
    .one = "prices of a reduction's steps",
    .many = "reductions with the prices of their steps",
    .where = "the prices of a reduction's steps",
    .notMeasured = "Only a GPU's steps have prices.",
    .most = kMaxPeels,
    .experiment = kTimedFields,
    .fields = {{"runs", "of the clean kernel, and to the end of each step"},
               {"clean_microseconds", "of the reduction: the median", 0, kMaxStoredTime},
               {"clean_low", "where it lies with 95 % confidence", 0, kMaxStoredTime},
               {"clean_high", {}, 0, kMaxStoredTime},
               {"whole_microseconds", "of the one that can be ended: the median", 0, kMaxStoredTime}},
    .lists = {
        {.field = "steps",
         .table = "peel_steps",
         .key = "step",
         .count = "step_count",
         .most = kMaxPeeledMarks + 3 + kMaxLaunches,
         .fields = {{"launch", "from 0", 0, kMaxLaunches},
                    {"marks", "of a thread, behind which the step ends"},
                    {"microseconds", "from where the step before it ended", -kMaxStoredTime, kMaxStoredTime},
                    {"low", "with 95 % confidence", -kMaxStoredTime, kMaxStoredTime},
                    {"high", {}, -kMaxStoredTime, kMaxStoredTime}}}}};

}  // namespace stridescope::model
