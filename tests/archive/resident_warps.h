// Warps resident per SM, a measured quantity that only tests have: all that the program needs to know of it
// (docs/contributing.md, Adding a measured quantity).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/describe.h"
#include "model/experiment.h"
#include "model/quantity.h"
#include "model/trace.h"
#include "model/trace_check.h"

namespace stridescope::model {

struct MultiprocessorWarps {
  unsigned multiprocessor = 0;
  double warps = 0;  // on average, while any is resident
  friend bool operator==(const MultiprocessorWarps&, const MultiprocessorWarps&) = default;
};

struct LaunchWarps {
  std::uint64_t grid = 0;
  std::uint64_t block = 0;
  std::vector<MultiprocessorWarps> multiprocessors{};
  friend bool operator==(const LaunchWarps&, const LaunchWarps&) = default;
};

struct ResidentWarps {
  Experiment experiment;
  std::string kernelHash;
  Executor executor{};
  unsigned most = 0;  // that an SM can hold
  std::vector<LaunchWarps> launches{};
  friend bool operator==(const ResidentWarps&, const ResidentWarps&) = default;
};

inline constexpr std::int64_t kMaxWarpsPerSm = 64;

inline std::optional<std::string> faultOf(const ResidentWarps& record) {
  if (auto fault = faultOfOrigin(record.experiment, record.kernelHash, record.executor)) return fault;
  for (const LaunchWarps& launch : record.launches)
    for (const MultiprocessorWarps& each : launch.multiprocessors)
      if (!(each.warps >= 0 && each.warps <= record.most)) return "an SM holds more warps than it can";
  return std::nullopt;
}

template <class Fields, Described<MultiprocessorWarps> Value>
constexpr void describe(Fields&& fields, Value& warps) {
  fields("multiprocessor", warps.multiprocessor);
  fields("warps", warps.warps);
}

template <class Fields, Described<LaunchWarps> Value>
constexpr void describe(Fields&& fields, Value& launch) {
  fields("grid", launch.grid);
  fields("block", launch.block);
  fields("multiprocessors", launch.multiprocessors);
}

template <class Fields, Described<ResidentWarps> Value>
constexpr void describe(Fields&& fields, Value& record) {
  fields("experiment", record.experiment);
  fields("kernel_sha256", record.kernelHash);
  fields("executor", record.executor);
  fields("most", record.most);
  fields("launches", record.launches);
}

template <>
inline constexpr Quantity kQuantity<ResidentWarps>{
    .table = "resident_warps",
    .one = "resident warps",
    .many = "runs with resident warps",
    .where = "a run's resident warps",
    .notMeasured = "Only a GPU has resident warps.",
    .most = 100,
    .experiment = kTimedFields,
    .fields = {{"most", "that an SM can hold", 1, kMaxWarpsPerSm}},
    .lists = {{.field = "launches",
               .table = "resident_warp_launches",
               .key = "launch",
               .count = "launch_count",
               .most = kMaxLaunches,
               .fields = {{"block", "threads of a block", 1, kMaxThreads}}},
              {.field = "multiprocessors",
               .table = "resident_warps_per_sm",
               .key = "ordinal",
               .most = kMaxMultiprocessors,
               .fields = {{"warps", "on average", 0, kMaxWarpsPerSm}}}}};

}  // namespace stridescope::model
