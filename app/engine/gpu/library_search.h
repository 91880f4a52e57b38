// Where libcuda, libnvrtc, libcupti and CUDA's headers are looked for.
#pragma once

#include <string>
#include <vector>

namespace stridescope::engine::gpu {

// Files and loader's names to try for the driver, best first. `given` (GpuPlaces, else STRIDESCOPE_LIBCUDA)
// stands alone if it is not empty: who names a file wants that file.
std::vector<std::string> driverCandidates(const std::string& given);

// The same for NVRTC; `given` (GpuPlaces, else STRIDESCOPE_NVRTC) may be a file or a folder. Else: beside the
// program (its own folder, ../lib), CUDA_HOME and CUDA_PATH, the loader's own places, /usr/local/cuda. In
// each place the newest release comes first.
std::vector<std::string> nvrtcCandidates(const std::string& given);

// The same for CUPTI (STRIDESCOPE_CUPTI), which toolkits have in extras/CUPTI/lib64, too.
std::vector<std::string> cuptiCandidates();

// The folders that NVRTC needs for <cooperative_groups.h>: the one it lies in and, where there is one (CUDA
// 13), cccl in that. Empty if it is nowhere: not in STRIDESCOPE_CUDA_INCLUDE, which stands alone if it is
// set, nor in include beside the library in use (`nvrtc`, if that is a path), beside the program, in
// CUDA_HOME, in CUDA_PATH, in /usr/local/cuda, in /usr/lib/cuda.
std::vector<std::string> cudaHeaderFolders(const std::string& nvrtc);

}  // namespace stridescope::engine::gpu
