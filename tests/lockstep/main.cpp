// The tests' program, and the worker that they start: it is served here as by the real program, but its
// engine may be told to fail.
#include <gtest/gtest.h>

#include "engine/library_call.h"
#include "engine/worker/gpu_worker.h"
#include "engine/worker/worker_engine.h"
#include "faulting_engine.h"

int main(int argc, char** argv) {
  if (const auto gpu = stridescope::engine::worker::gpuWorkerIndex(argc, argv)) {
    stridescope::engine::showLibraryCalls(stridescope::engine::worker::kWorkerCalls);
    return stridescope::engine::worker::serveEngine(
        [index = *gpu] { return stridescope::engine::makeFaultingEngine(index); });
  }
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
