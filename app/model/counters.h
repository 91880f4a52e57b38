// What the GPU's hardware counted while the clean kernel ran, as plain data; and which counters there are.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/describe.h"
#include "model/experiment.h"
#include "model/quantity.h"
#include "model/trace.h"
#include "model/trace_check.h"

namespace stridescope::model {

enum class Counter : std::uint8_t {
  SharedLoadWavefronts,
  SharedStoreWavefronts,
  SharedLoadConflicts,
  SharedStoreConflicts,
  Instructions,
  ThreadInstructions,
  Branches,
  DivergentBranchTargets,
  AchievedOccupancy,
  DramReadBytes,
  DramWrittenBytes,
  DramShare,
  L2HitRate,
  StallBarrier,
  StallLongScoreboard,
  StallShortScoreboard,
  StallMioThrottle,
  StallMathPipeThrottle,
  StallBranchResolving,
  StallWait,
  StallNotSelected,
};

enum class CounterUnit : std::uint8_t {
  Count,    // a whole number, over all SMs
  Bytes,    // the same
  Percent,  // 0 to 100
  Warps,    // on average, at each cycle in which a warp scheduler issues
};

struct CounterFacts {
  Counter counter{};
  std::string_view id;      // in files and JSON: "shared_load_wavefronts"
  std::string_view title;   // as a person knows it
  std::string_view metric;  // as CUPTI and Nsight Compute name it
  CounterUnit unit{};
  std::string_view meaning;  // a sentence
};

// In the order in which they are shown; one each.
std::span<const CounterFacts> counterFacts();
const CounterFacts& factsOf(Counter counter);
std::string_view nameOf(Counter counter);  // its id

struct CounterValue {
  Counter counter{};
  double value = 0;  // in the counter's unit
  friend bool operator==(const CounterValue&, const CounterValue&) = default;
};

struct LaunchCounters {
  std::uint64_t grid = 0;              // blocks
  std::uint64_t block = 0;             // threads
  std::vector<CounterValue> values{};  // each counter at most once; what the chip lacks is not there
  // nullopt: it was not counted. A percentage is at most 100: the parts of a ratio are counted in several
  // runs of the kernel, so that `values` may have more.
  std::optional<double> find(Counter counter) const;
  friend bool operator==(const LaunchCounters&, const LaunchCounters&) = default;
};

struct CounterRecord {
  Experiment experiment;                   // its launch, block and schedule say nothing here
  std::string kernelHash;                  // hashOf the kernel's text
  Executor executor{};                     // a GPU
  std::vector<LaunchCounters> launches{};  // all of the reduction's, in order
  friend bool operator==(const CounterRecord&, const CounterRecord&) = default;
};

inline constexpr std::size_t kMaxCounterRecords = 1 << 12;  // per recording

// The first thing wrong with it, as a clause, or nothing.
std::optional<std::string> faultOf(const CounterRecord& record);

// Whether it tells of this experiment.
bool tellsOf(const CounterRecord& record, const Experiment& experiment);

inline constexpr std::array kCounters{Counter::SharedLoadWavefronts,
                                      Counter::SharedStoreWavefronts,
                                      Counter::SharedLoadConflicts,
                                      Counter::SharedStoreConflicts,
                                      Counter::Instructions,
                                      Counter::ThreadInstructions,
                                      Counter::Branches,
                                      Counter::DivergentBranchTargets,
                                      Counter::AchievedOccupancy,
                                      Counter::DramReadBytes,
                                      Counter::DramWrittenBytes,
                                      Counter::DramShare,
                                      Counter::L2HitRate,
                                      Counter::StallBarrier,
                                      Counter::StallLongScoreboard,
                                      Counter::StallShortScoreboard,
                                      Counter::StallMioThrottle,
                                      Counter::StallMathPipeThrottle,
                                      Counter::StallBranchResolving,
                                      Counter::StallWait,
                                      Counter::StallNotSelected};
constexpr auto allOf(Counter) { return kCounters; }

template <class Fields, Described<CounterValue> Value>
constexpr void describe(Fields&& fields, Value& value) {
  fields("counter", value.counter);
  fields("value", value.value);
}

template <class Fields, Described<LaunchCounters> Value>
constexpr void describe(Fields&& fields, Value& launch) {
  fields("grid", launch.grid);
  fields("block", launch.block);
  fields("values", launch.values);
}

template <class Fields, Described<CounterRecord> Value>
constexpr void describe(Fields&& fields, Value& record) {
  fields("experiment", record.experiment);
  fields("kernel_sha256", record.kernelHash);
  fields("executor", record.executor);
  fields("launches", record.launches);
}

template <>
inline constexpr Quantity kQuantity<CounterRecord>{
    .table = "counters",
    .one = "counters",
    .many = "runs with counters",
    .where = "a run's counters",
    .notMeasured = "Only a GPU has counters that can be read.",
    .most = kMaxCounterRecords,
    .format = 6,
    .experiment = kRunFields,
    .lists = {{.field = "launches",
               .table = "counter_launches",
               .key = "launch",
               .count = "launch_count",
               .most = kMaxLaunches,
               .fields = {{"grid", "blocks"}, {"block", "threads of a block", 1, kMaxThreads}}},
              {.field = "values",
               .table = "counter_values",
               .key = "ordinal",
               .most = kCounters.size(),
               .fields = {{"counter", "instructions, shared_load_conflicts, ..."},
                          {"value", {}, 0, 1'000'000'000'000'000'000}}}}};

}  // namespace stridescope::model
