// One subject over several GPUs, ready to be timed: memory on each GPU, kernels compiled for each, and what
// is enqueued on which.
#pragma once

#include <memory>

#include "measure/gpu/group_input.h"
#include "measure/gpu/nccl.h"
#include "measure/timing_device.h"

namespace stridescope::measure::gpu {

class GroupSubject {
 public:
  virtual ~GroupSubject() = default;
  virtual Result<Timed> run() = 0;
  virtual unsigned threads() const = 0;  // per block; 0: there are no blocks of ours
};

// Errors: why it is not timed at the case. `nccl`: the library, or the sentence why there is none.
Result<std::unique_ptr<GroupSubject>> makeGroupSubject(GroupInput& input, const model::TimingSubject& subject,
                                                       const Result<std::unique_ptr<Nccl>>& nccl);

}  // namespace stridescope::measure::gpu
