// A GPU's engine whose compiler refuses every kernel, as NVRTC says it; the CPU's compiler finds no fault.
#pragma once

#include "engine/engine.h"

namespace stridescope::support {

class RefusingGpu final : public engine::Engine {
 public:
  model::Executor executor() const override {
    model::Executor gpu;
    gpu.kind = model::EngineKind::Gpu;
    return gpu;
  }
  Result<model::Trace> record(const model::Experiment&, engine::JobControl&) override {
    const std::string line =
        "sequential.cu, preamble(3): error: calling a __host__ function is not allowed\n";
    return tl::unexpected(Error{ErrorKind::Unavailable, "The kernel does not compile: " + line,
                                line + "    return a;\n", ErrorCause::KernelText});
  }
};

}  // namespace stridescope::support
