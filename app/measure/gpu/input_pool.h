// Copies of one input in the GPU's memory, used in turn: when one's turn comes again, far more than the L2
// cache holds was read meanwhile.
#pragma once

#include <memory>

#include "measure/gpu/clean_kernel.h"
#include "measure/timing_device.h"

namespace stridescope::measure::gpu {

class InputPool {
 public:
  explicit InputPool(CleanRunner& runner) : runner_(runner) {}

  // Copies of the case's input, each filled up to `room` elements with the identity, as the launch plans
  // want it. In place of what was there. One copy where L2 shall be warm, or where there is no room for two.
  // Fails with kind Usage where one does not fit.
  Result<void> fill(const model::TimingCase& timingCase, std::uint64_t room);

  std::uint64_t first() const { return buffer_->address(); }
  std::uint64_t next() { return first() + turn_++ % copies_ * stride_; }
  std::uint64_t copies() const { return copies_; }

 private:
  Result<void> reserve(std::uint64_t bytes);
  Result<void> repeat(std::uint64_t at, std::uint64_t have, std::uint64_t want);
  Result<void> fillFirst(const model::TimingCase& timingCase, std::uint64_t room);

  CleanRunner& runner_;
  std::unique_ptr<GpuBuffer> buffer_;
  std::uint64_t stride_ = 0, copies_ = 1, turn_ = 0;
};

}  // namespace stridescope::measure::gpu
