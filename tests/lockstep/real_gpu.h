// For tests on a real GPU: skips visibly where there is none.
#pragma once

#include <gtest/gtest.h>

#include <memory>

#include "engine/gpu/gpu_engine.h"

namespace stridescope::engine {

class RealGpu : public testing::Test {
 protected:
  void SetUp() override {
    auto made = gpu::makeGpuEngine(0);
    if (!made) GTEST_SKIP() << "SKIPPED: " << made.error().sentence;
    gpu = std::move(*made);
  }

  Result<model::Trace> record(const model::Experiment& experiment) {
    JobControl job;
    return gpu->record(experiment, job);
  }

  std::unique_ptr<Engine> gpu;
};

}  // namespace stridescope::engine
