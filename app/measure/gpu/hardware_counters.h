// The GPU's hardware counters around kernels: each launch is a range of its own, and is run again (the memory
// that it changed set back) until all counters are read.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "base/result.h"
#include "model/counters.h"

namespace stridescope::measure::gpu {

using CounterLists = std::vector<std::vector<model::CounterValue>>;  // one per kernel

// One GPU's counters. Calls need a context of that GPU current to the thread.
class HardwareCounters {
 public:
  virtual ~HardwareCounters() = default;

  // What is counted while `launches` enqueues that many kernels, and waits for them. Meanwhile every launch
  // in the context takes longer; nothing is to be timed.
  virtual Result<CounterLists> count(std::size_t kernels, const std::function<Result<void>()>& launches) = 0;
};

// Opens the counters through CUPTI's range profiler. `index`: the driver's number of the GPU; `device`: its
// CUdevice. Errors: no CUPTI, no permission, a GPU whose counters cannot be read; each says what to do.
Result<std::unique_ptr<HardwareCounters>> openCuptiCounters(unsigned index, int device);

}  // namespace stridescope::measure::gpu
