// Compiles CUDA text with NVRTC to an image that the driver loads. Several threads may compile at once.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "engine/gpu/nvrtc_api.h"

namespace stridescope::engine::gpu {

struct NamedText {
  std::string name;
  std::string_view text;  // must outlive the compilation; zero-terminated is not required
};

// Everything that decides what the compiler gives.
struct Program {
  std::string name;  // the file's, in messages on lines before the first #line
  std::string text;
  std::string kernel;                // the __global__ function's name
  std::vector<std::string> options;  // the architecture among them
  std::vector<NamedText> headers;    // for #include
};

struct CompiledKernel {
  std::string image;        // a cubin; PTX for a virtual architecture
  std::string loweredName;  // the kernel's name in the image
  friend bool operator==(const CompiledKernel&, const CompiledKernel&) = default;
};

// The error's details are the compiler's log; its sentence carries the log's first error, which names the
// line.
Result<CompiledKernel> compile(const NvrtcApi& nvrtc, const Program& program);

// The same, as PTX, for reading.
Result<std::string> compileToPtx(const NvrtcApi& nvrtc, const Program& program);

}  // namespace stridescope::engine::gpu
