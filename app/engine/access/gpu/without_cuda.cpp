// The program was built without CUDA's headers: nobody is sent here, because no GPU is listed.
#include <cstdlib>

#include "engine/access/gpu/serve_gpu_accesses.h"

namespace stridescope::engine::access::gpu {

int serveGpuAccesses(unsigned) { return EXIT_FAILURE; }

}  // namespace stridescope::engine::access::gpu
