#include "engine/auto_engine.h"

#include <utility>
#include <vector>

#include "engine/engine_limits.h"

namespace stridescope::engine {
namespace {

class AutoEngine final : public Engine {
 public:
  AutoEngine(std::unique_ptr<Engine> gpu, std::unique_ptr<Engine> host)
      : gpu_(std::move(gpu)), host_(std::move(host)) {}

  model::Executor executor() const override { return gpu_->executor(); }
  bool isUsable() const override { return gpu_->isUsable(); }

  Result<void> prepare(std::span<const model::Experiment> experiments, JobControl& job) override {
    std::vector<model::Experiment> onTheGpu;
    for (const model::Experiment& experiment : experiments)
      if (refusalOf(executor(), experiment).empty()) onTheGpu.push_back(experiment);
    return gpu_->prepare(onTheGpu, job);
  }

  Result<model::Trace> record(const model::Experiment& experiment, JobControl& job) override {
    return (refusalOf(executor(), experiment).empty() ? gpu_ : host_)->record(experiment, job);
  }

 private:
  std::unique_ptr<Engine> gpu_, host_;
};

}  // namespace

std::unique_ptr<Engine> makeAutoEngine(std::unique_ptr<Engine> gpu, std::unique_ptr<Engine> host) {
  return std::make_unique<AutoEngine>(std::move(gpu), std::move(host));
}

}  // namespace stridescope::engine
