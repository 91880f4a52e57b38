#include "faulting_engine.h"

#include <unistd.h>

#include "../engine_worker/failing_seeds.h"
#include "engine/gpu/gpu_engine.h"
#include "measure/gpu/clean_kernel.h"

namespace stridescope::engine {
namespace {

constexpr const char* kPreamble = "using T = int;\n";
constexpr const char* kFaults = "__global__ void breaks(const T* in, T* out) { out[0] = *(const T*)1024; }\n";
constexpr const char* kHangs =
    "__global__ void breaks(volatile T* in, T* out) { while (in[0] == 0) {} out[0] = 1; }\n";

class FaultingEngine final : public Engine {
 public:
  FaultingEngine(unsigned gpu, std::unique_ptr<Engine> engine) : gpu_(gpu), engine_(std::move(engine)) {}

  model::Executor executor() const override { return engine_->executor(); }
  bool isUsable() const override { return engine_->isUsable(); }
  Result<void> prepare(std::span<const model::Experiment> experiments, JobControl& job) override {
    return engine_->prepare(experiments, job);
  }
  Result<model::Trace> record(const model::Experiment& experiment, JobControl& job) override {
    if (experiment.seed == worker::kSeedThatFaults) (void)launch(kFaults);
    if (experiment.seed == worker::kSeedThatHangs) (void)launch(kHangs);
    return engine_->record(experiment, job);
  }

 private:
  Result<void> launch(const char* text) {
    auto runner = measure::gpu::makeCleanRunner(gpu_);
    if (!runner) return tl::unexpected(runner.error());
    auto kernel = (*runner)->load("breaks", kPreamble, text);
    if (!kernel) return tl::unexpected(kernel.error());
    auto in = (*runner)->allocate(4), out = (*runner)->allocate(4);
    if (!in || !out) return unavailable("No memory.");
    const std::uint8_t zeros[4]{};
    if (auto copied = (*runner)->upload(**in, zeros); !copied) return copied;
    if (auto launched = (*kernel)->launch(
            {.grid = 1, .block = 32, .sharedBytes = 0, .arguments = {(*in)->address(), (*out)->address()}});
        !launched)
      return launched;
    while (text == kHangs) ::pause();  // until the process is killed
    return (*runner)->wait();
  }

  unsigned gpu_;
  std::unique_ptr<Engine> engine_;
};

}  // namespace

Result<std::unique_ptr<Engine>> makeFaultingEngine(unsigned gpu) {
  auto engine = gpu::makeGpuEngine(gpu);
  if (!engine) return engine;
  return std::make_unique<FaultingEngine>(gpu, std::move(*engine));
}

}  // namespace stridescope::engine
