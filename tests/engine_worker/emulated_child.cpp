// The GPU's engine as a worker, over the stand-in driver: its kernels really run, on threads of this machine.
// The experiment's seed says what goes wrong.
#include <cuda.h>

#include "../engine_gpu/emulation/emulated_kernels.h"
#include "engine/gpu/gpu_engine.h"
#include "engine/gpu/shared_library.h"
#include "engine/worker/gpu_worker.h"
#include "engine/worker/worker_engine.h"
#include "failing_seeds.h"

namespace stridescope::engine::worker {
namespace {

class EmulatedEngine final : public Engine {
 public:
  EmulatedEngine(std::shared_ptr<gpu::SharedLibrary> driver, std::unique_ptr<Engine> engine)
      : driver_(std::move(driver)), engine_(std::move(engine)) {}

  model::Executor executor() const override { return engine_->executor(); }
  bool isUsable() const override { return engine_->isUsable(); }
  Result<void> prepare(std::span<const model::Experiment> experiments, JobControl& job) override {
    return engine_->prepare(experiments, job);
  }
  Result<model::Trace> record(const model::Experiment& experiment, JobControl& job) override {
    gpu::StandInState& state = *driver_->function<decltype(&standInState)>("standInState")();
    const auto fail = driver_->function<decltype(&standInFail)>("standInFail");
    state.kernel = gpu::emulatedKernel(experiment.variant);
    state.endless = experiment.seed == kSeedThatHangs;
    if (experiment.seed == kSeedThatFaults) {  // and from then on no context can be made in this process
      fail("cuStreamQuery", CUDA_ERROR_ILLEGAL_ADDRESS, 1);
      fail("cuCtxCreate_v2", CUDA_ERROR_ILLEGAL_ADDRESS, 1 << 30);
    }
    return engine_->record(experiment, job);
  }

 private:
  std::shared_ptr<gpu::SharedLibrary> driver_;
  std::unique_ptr<Engine> engine_;
};

Result<std::unique_ptr<Engine>> makeEmulatedEngine() {
  auto driver = gpu::SharedLibrary::open({STRIDESCOPE_STAND_IN_DRIVER});
  if (!driver) return tl::unexpected(driver.error());
  (*driver)->function<decltype(&standInReset)>("standInReset")();
  auto engine = gpu::makeGpuEngine(0, {.driver = STRIDESCOPE_STAND_IN_DRIVER});
  if (!engine) return tl::unexpected(engine.error());
  return std::make_unique<EmulatedEngine>(*driver, std::move(*engine));
}

}  // namespace
}  // namespace stridescope::engine::worker

int main() {
  return stridescope::engine::worker::serveEngine(stridescope::engine::worker::makeEmulatedEngine);
}
