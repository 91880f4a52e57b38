// Stands in for CUB and Thrust in a build that found no CUDA compiler.
#include "measure/baselines/gpu_baselines.h"

namespace stridescope::measure::baselines {

Result<std::unique_ptr<GpuBaseline>> makeGpuBaseline(const std::string& id, model::ElementType,
                                                     model::Operator, std::uint64_t, unsigned) {
  return unavailable("This program was built without CUDA's compiler, and so without " + id +
                     ". Build it where the CUDA toolkit is installed.");
}

std::string gpuBaselineVersion() { return {}; }

}  // namespace stridescope::measure::baselines
