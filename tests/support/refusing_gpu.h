// A GPU's engine whose compiler refuses every kernel, as NVRTC says it; the CPU's compiler finds no fault.
#pragma once

#include "engine/engine.h"

namespace stridescope::test {

class RefusingGpu final : public Engine {
 public:
  Executor executor() const override {
    Executor gpu;
    gpu.kind = EngineKind::Gpu;
    return gpu;
  }
  Result<Trace> record(const Experiment&, JobControl&) override {
    const std::string line =
        "sequential.cu, preamble(3): error: calling a __host__ function is not allowed\n";
    return tl::unexpected(Error{ErrorKind::Unavailable, "The kernel does not compile: " + line,
                                line + "    return a;\n", ErrorCause::KernelText});
  }
};

}  // namespace stridescope::test
