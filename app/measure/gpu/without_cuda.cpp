// Stands in for the runner of clean kernels in a build that found no CUDA headers.
#include "measure/gpu/clean_kernel.h"

namespace stridescope::measure::gpu {

// The engine says what is missing.
Result<std::unique_ptr<CleanRunner>> makeCleanRunner(unsigned index, const engine::gpu::GpuPlaces& places) {
  return tl::unexpected(engine::gpu::makeGpuEngine(index, places).error());
}

}  // namespace stridescope::measure::gpu
