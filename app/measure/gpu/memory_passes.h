// The least that can be done with memory, as kernels: a pass that only reads, and a copy. They give the GPU's
// peak bandwidths (measured), and the reading one empties the L2 cache of everything else.
#pragma once

#include <memory>

#include "measure/gpu/clean_kernel.h"
#include "measure/timing_device.h"

namespace stridescope::measure::gpu {

// Threads per block; the grids are whole multiples of the GPU's multiprocessors.
inline constexpr unsigned kPassThreads = 512;

class MemoryPasses {
 public:
  static Result<MemoryPasses> load(CleanRunner& runner);

  // `bytes` is a multiple of 16. The checksum is the exclusive or of all 32-bit words.
  TimedLaunch reading(std::uint64_t from, std::uint64_t bytes, std::uint64_t checksum, unsigned blocks) const;
  TimedLaunch copying(std::uint64_t from, std::uint64_t to, std::uint64_t bytes, unsigned blocks) const;

 private:
  std::unique_ptr<CleanKernel> read_, copy_;
};

// Takes memory for a moment: 4 GiB twice, or what a quarter of the free memory allows.
Result<MeasuredCeiling> measureCeiling(CleanRunner& runner, const MemoryPasses& passes,
                                       engine::JobControl& job);

}  // namespace stridescope::measure::gpu
