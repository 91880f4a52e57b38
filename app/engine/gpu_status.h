// What there is to run on, as a worker process finds it (worker/gpu_worker.h): for `doctor`, the window's
// list of engines and its greeting.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "base/describe.h"

namespace stridescope::engine {

struct GpuDescription {
  unsigned index = 0;             // the driver's number
  std::string name;               // "NVIDIA H200"
  std::string computeCapability;  // "9.0"
  std::uint64_t memoryBytes = 0;
  unsigned multiprocessors = 0;
  std::vector<std::string> problems;  // sentences; empty if record() should work on it
};

struct GpuStatus {
  bool compiledIn = false;    // false: this build has no GPU engine
  std::string driverLibrary;  // the file that was loaded; empty: none
  std::string driverVersion;  // "580.159"; empty: unknown
  std::string cudaVersion;    // the newest CUDA the driver runs, "13.0"
  std::string nvrtcLibrary;   // the file that was loaded; empty: none
  std::string nvrtcVersion;   // "13.0"
  std::string cacheFolder;    // keeps compiled kernels; empty: none is usable
  std::uint64_t cacheBytes = 0;
  std::vector<GpuDescription> gpus;
  std::vector<std::string> problems;  // sentences; what is missing and what to do

  // A driver, an NVRTC and a GPU without problems are there.
  bool usable() const {
    return !nvrtcLibrary.empty() &&
           std::ranges::any_of(gpus, [](const GpuDescription& gpu) { return gpu.problems.empty(); });
  }
};

template <class Fields, Described<GpuDescription> Value>
constexpr void describe(Fields&& fields, Value& gpu) {
  fields("index", gpu.index);
  fields("name", gpu.name);
  fields("compute_capability", gpu.computeCapability);
  fields("memory_bytes", gpu.memoryBytes);
  fields("multiprocessors", gpu.multiprocessors);
  fields("problems", gpu.problems);
}

template <class Fields, Described<GpuStatus> Value>
constexpr void describe(Fields&& fields, Value& status) {
  fields("compiled_in", status.compiledIn);
  fields("driver_library", status.driverLibrary);
  fields("driver_version", status.driverVersion);
  fields("cuda_version", status.cudaVersion);
  fields("nvrtc_library", status.nvrtcLibrary);
  fields("nvrtc_version", status.nvrtcVersion);
  fields("cache_folder", status.cacheFolder);
  fields("cache_bytes", status.cacheBytes);
  fields("gpus", status.gpus);
  fields("problems", status.problems);
}

}  // namespace stridescope::engine
