// Stands in for CUB and Thrust in a build that found no CUDA compiler.
#include "measure/baselines/gpu_peers.h"

namespace stridescope::measure::baselines {

Result<std::unique_ptr<GpuPeer>> makeGpuPeer(const std::string& id, model::ElementType, model::Operator,
                                             std::uint64_t, unsigned) {
  return unavailable("This program was built without CUDA's compiler, and so without " + id +
                     ". Build it where the CUDA toolkit is installed.");
}

std::string gpuPeerVersion() { return {}; }

}  // namespace stridescope::measure::baselines
