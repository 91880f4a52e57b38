// Where libcuda and libnvrtc are looked for.
#pragma once

#include <string>
#include <vector>

namespace stridescope {

// Files and loader's names to try for the driver, best first. `given` (GpuPlaces, else STRIDESCOPE_LIBCUDA)
// stands alone if it is not empty: who names a file wants that file.
std::vector<std::string> driverCandidates(const std::string& given);

// The same for NVRTC; `given` (GpuPlaces, else STRIDESCOPE_NVRTC) may be a file or a folder. Else: beside the
// program (its own folder, ../lib), CUDA_HOME and CUDA_PATH, the loader's own places, /usr/local/cuda. In
// each the newest release first.
std::vector<std::string> nvrtcCandidates(const std::string& given);

}  // namespace stridescope
