// A shared library opened at run time and closed when its last user goes.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"

namespace stridescope::engine::gpu {

class SharedLibrary {
 public:
  // The first of `candidates` that opens: files' paths, or names that the system's loader looks up. Fails
  // with an error whose details name each candidate and the loader's reason.
  static Result<std::shared_ptr<SharedLibrary>> open(const std::vector<std::string>& candidates);

  ~SharedLibrary();
  SharedLibrary(const SharedLibrary&) = delete;
  SharedLibrary& operator=(const SharedLibrary&) = delete;

  // The function of that name, cast to the type wanted; nullptr if the library has none.
  template <class Function>
  Function function(const char* name) const {
    return reinterpret_cast<Function>(symbol(name));
  }

  // The file it was loaded from; the name it was opened by where the loader does not tell.
  const std::string& path() const { return path_; }

 private:
  SharedLibrary(void* handle, std::string path) : handle_(handle), path_(std::move(path)) {}
  void* symbol(const char* name) const;

  void* handle_;
  std::string path_;
};

// Where libcuda, libnvrtc, libcupti, libnccl and CUDA's headers are looked for.

// Files and loader's names to try for the driver, best first. `given` (GpuPlaces, else STRIDESCOPE_LIBCUDA)
// stands alone if it is not empty: who names a file wants that file.
std::vector<std::string> driverCandidates(const std::string& given);

// The same for NVRTC; `given` (GpuPlaces, else STRIDESCOPE_NVRTC) may be a file or a folder. Else: beside the
// program (its own folder, ../lib), CUDA_HOME and CUDA_PATH, the loader's own places, /usr/local/cuda. In
// each place the newest release comes first.
std::vector<std::string> nvrtcCandidates(const std::string& given);

// The same for CUPTI (STRIDESCOPE_CUPTI), which toolkits have in extras/CUPTI/lib64, too.
std::vector<std::string> cuptiCandidates();

// The same for NVIDIA's Sanitizer API (STRIDESCOPE_SANITIZER), which toolkits have in compute-sanitizer.
std::vector<std::string> sanitizerCandidates();

// The same for NCCL (STRIDESCOPE_LIBNCCL): beside the program, where the loader finds it, and in the packages
// of the Pythons that VIRTUAL_ENV, CONDA_PREFIX and PATH name, where PyTorch's wheels have it.
std::vector<std::string> ncclCandidates();

// The folders that NVRTC needs for <cooperative_groups.h>: the one it lies in and, where there is one (CUDA
// 13), cccl in that. Empty if it is nowhere: not in STRIDESCOPE_CUDA_INCLUDE, which stands alone if it is
// set, nor in include beside the library in use (`nvrtc`, if that is a path), beside the program, in
// CUDA_HOME, in CUDA_PATH, in /usr/local/cuda, in /usr/lib/cuda.
std::vector<std::string> cudaHeaderFolders(const std::string& nvrtc);

}  // namespace stridescope::engine::gpu
