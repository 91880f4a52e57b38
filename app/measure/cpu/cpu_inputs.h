// Copies of one input in the host's memory, used in turn, so that none lies in a cache when its turn comes.
#pragma once

#include <cstdint>
#include <memory>

#include "base/result.h"
#include "model/timing_record.h"

namespace stridescope::measure::cpu {

class CpuInputs {
 public:
  // In place of what was there. One copy where the cache shall be warm, else as many as fill the last-level
  // cache twice. Fails with kind Usage where the memory does not suffice.
  Result<void> fill(const model::TimingCase& timingCase);

  // The next copy.
  const std::uint8_t* next();

  // The copies are too few to fill the cache twice: what is read may still lie in it.
  bool mayBeCached() const { return warm_; }

 private:
  void reserve(std::uint64_t bytes);

  std::unique_ptr<std::uint8_t[]> bytes_;
  std::uint64_t reserved_ = 0;
  std::uint64_t stride_ = 0, copies_ = 1, turn_ = 0;
  bool warm_ = false;
};

}  // namespace stridescope::measure::cpu
