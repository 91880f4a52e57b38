// What several GPUs at once need, as a worker process finds it (worker/gpu_worker.h): for `doctor`.
#pragma once

#include <string>
#include <vector>

#include "base/describe.h"

namespace stridescope::engine {

struct GpuPair {
  unsigned from = 0, to = 0;  // the driver's numbers
  friend bool operator==(const GpuPair&, const GpuPair&) = default;
};

struct GroupStatus {
  unsigned gpus = 0;                 // that the driver lists
  std::vector<GpuPair> unreached{};  // `from` cannot use the memory of `to`
  std::string
      whyNotAsked{};  // a sentence: why the driver was not asked, or what it did not answer; else empty
  std::string ncclLibrary{};  // the file that was loaded; empty: none
  std::string ncclVersion{};  // "2.28.3"
  std::string whyNoNccl{};    // a sentence, where there is none
};

template <class Fields, Described<GpuPair> Value>
constexpr void describe(Fields&& fields, Value& pair) {
  fields("from", pair.from);
  fields("to", pair.to);
}

template <class Fields, Described<GroupStatus> Value>
constexpr void describe(Fields&& fields, Value& status) {
  fields("gpus", status.gpus);
  fields("unreached", status.unreached);
  fields("why_not_asked", status.whyNotAsked);
  fields("nccl_library", status.ncclLibrary);
  fields("nccl_version", status.ncclVersion);
  fields("why_no_nccl", status.whyNoNccl);
}

}  // namespace stridescope::engine
