// A GPU's engine whose compiler refuses every kernel, as NVRTC says it; the CPU's compiler finds no fault.
#pragma once

#include "engine/engine.h"

namespace stridescope::support {

class RefusingGpu final : public engine::Engine {
 public:
  explicit RefusingGpu(int line = 3) : line_(line) {}  // a line of the preamble
  model::Executor executor() const override {
    model::Executor gpu;
    gpu.kind = model::EngineKind::Gpu;
    return gpu;
  }
  Result<model::Trace> record(const model::Experiment&, engine::JobControl&) override {
    const std::string line = "sequential.cu, preamble(" + std::to_string(line_) +
                             "): error: calling a __host__ function is not allowed\n";
    return tl::unexpected(Error{ErrorKind::Unavailable, "The kernel does not compile: " + line,
                                line + "    return a;\n", ErrorCause::KernelText});
  }

 private:
  int line_;
};

}  // namespace stridescope::support
