// What a person's text includes of the host's C++ and of CUDA, where NVRTC compiles it: NVRTC has no headers
// of the host's, and needs none of CUDA's for the language itself.
#pragma once

#include <string>
#include <vector>

#include "engine/access/gpu_access.h"

namespace stridescope::engine::access::gpu {

std::vector<SourceText> hostHeaders();

}  // namespace stridescope::engine::access::gpu
