// What a GPU does at most, measured by kernels that do one thing alone.
#pragma once

#include <memory>

#include "engine/engine.h"
#include "measure/gpu/clean_kernel.h"
#include "measure/timing_device.h"
#include "model/timing_record.h"

namespace stridescope::measure::gpu {

// The latency of a load from device memory (a pointer chase past L2, one thread), the clock of a
// multiprocessor meanwhile, and the time of an empty kernel. `readGigabytesPerSecond`, the reading pass's, is
// kept as it is. Takes memory for a moment: six times the size of L2.
Result<model::GpuLimits> measureLimits(CleanRunner& runner, double readGigabytesPerSecond,
                                       engine::JobControl& job);

// A kernel that does nothing, launched without arguments.
Result<std::unique_ptr<CleanKernel>> loadEmptyKernel(CleanRunner& runner);

// The least that can be done with memory, as kernels: a pass that only reads, and a copy. They give the GPU's
// peak bandwidths (measured), and the reading one empties the L2 cache of everything else.

// Threads per block; the grids are whole multiples of the GPU's multiprocessors.
inline constexpr unsigned kPassThreads = 512;
// Bytes that a thread moves at once.
inline constexpr std::uint64_t kPassUnit = 16;
// So many times its size is read to empty L2.
inline constexpr std::uint64_t kL2sToEmpty = 8;

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
