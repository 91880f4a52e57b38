// Compiles CUDA text with NVRTC to an image that the driver loads. Several threads may compile at once.
#pragma once

#include <nvrtc.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "engine/gpu/shared_library.h"
#include "engine/library_call.h"

namespace stridescope::engine::gpu {

// NVRTC, CUDA's run-time compiler, opened at run time: a table of its functions.

#define STRIDESCOPE_NVRTC_FUNCTIONS(use)                                                                    \
  use(nvrtcVersion) use(nvrtcGetErrorString) use(nvrtcGetNumSupportedArchs) use(nvrtcGetSupportedArchs)     \
      use(nvrtcCreateProgram) use(nvrtcDestroyProgram) use(nvrtcAddNameExpression) use(nvrtcCompileProgram) \
          use(nvrtcGetLoweredName) use(nvrtcGetProgramLogSize) use(nvrtcGetProgramLog)                      \
              use(nvrtcGetCUBINSize) use(nvrtcGetCUBIN) use(nvrtcGetPTXSize) use(nvrtcGetPTX)

#define STRIDESCOPE_DECLARE_FUNCTION(name) LibraryFunction<decltype(&::name)> name{#name};
struct NvrtcApi {
  std::shared_ptr<SharedLibrary> library;
  int major = 0, minor = 0;
  std::vector<int> architectures;  // 90 for compute capability 9.0; ascending
  STRIDESCOPE_NVRTC_FUNCTIONS(STRIDESCOPE_DECLARE_FUNCTION)

  std::string versionText() const { return std::to_string(major) + "." + std::to_string(minor); }
};
#undef STRIDESCOPE_DECLARE_FUNCTION

// Opens the first NVRTC (shared_library.h) of release 12 or later whose code the driver loads: an older
// driver does not load what a newer major release compiles. `driverVersion`: 12040 for CUDA 12.4; 0: any will
// do.
Result<std::shared_ptr<const NvrtcApi>> loadNvrtc(const std::string& given, int driverVersion);

// NVRTC's option for a device: "--gpu-architecture=sm_90". A device newer than the compiler gets the newest
// virtual architecture, which the driver compiles on; one that is too old is an error.
Result<std::string> architectureOption(const NvrtcApi& nvrtc, int computeCapability);

struct NamedText {
  std::string name;
  std::string_view text;  // must outlive the compilation; zero-terminated is not required
};

// Everything that decides what the compiler gives.
struct Program {
  std::string name;  // the file's, in messages on lines before the first #line
  std::string text;
  std::string kernel;                // the __global__ function's name; of several, a line each
  std::vector<std::string> options;  // the architecture among them
  std::vector<NamedText> headers;    // for #include
};

struct CompiledKernel {
  std::string image;        // a cubin; PTX for a virtual architecture
  std::string loweredName;  // the kernel's name in the image; of several, a line each
  friend bool operator==(const CompiledKernel&, const CompiledKernel&) = default;
};

// The error's details are the compiler's log; its sentence carries the log's first error, which names the
// line.
Result<CompiledKernel> compile(const NvrtcApi& nvrtc, const Program& program);

// The same, as PTX, for reading.
Result<std::string> compileToPtx(const NvrtcApi& nvrtc, const Program& program);

}  // namespace stridescope::engine::gpu
