// Stands in for the runner of clean kernels in a build that found no CUDA headers.
#include <cstdlib>

#include "measure/gpu/clean_kernel.h"
#include "measure/gpu/own_kernel_worker.h"

namespace stridescope::measure::gpu {

// The engine says what is missing.
Result<std::unique_ptr<CleanRunner>> makeCleanRunner(unsigned index, const engine::gpu::GpuPlaces& places) {
  return tl::unexpected(engine::gpu::makeGpuEngine(index, places).error());
}

// Nobody is sent here: no GPU is listed.
int serveOwnKernels(unsigned) { return EXIT_FAILURE; }

}  // namespace stridescope::measure::gpu
