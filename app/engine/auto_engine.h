// A GPU where it runs an experiment, else the CPU executor: what 'auto' means on a machine with a GPU.
#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "engine/engine.h"

namespace stridescope::engine {

enum class OnGpuFailure : std::uint8_t {
  RunOnCpu,  // what a driver that fails, or hangs, did not record is recorded by the CPU executor
  Tell,      // its error is record()'s: the GPU is what is examined
};

// executor() is the GPU's; a trace says who recorded it.
class AutoEngine final : public Engine {
 public:
  AutoEngine(std::unique_ptr<Engine> gpu, std::unique_ptr<Engine> host, OnGpuFailure onFailure)
      : gpu_(std::move(gpu)), host_(std::move(host)), onFailure_(onFailure) {}

  model::Executor executor() const override { return gpu_->executor(); }
  bool isUsable() const override { return gpu_->isUsable(); }
  Result<void> prepare(std::span<const model::Experiment> experiments, JobControl& job) override;
  // An error of both is the GPU's.
  Result<model::Trace> record(const model::Experiment& experiment, JobControl& job) override;

  // Why the last trace is the CPU executor's, a sentence; empty: it is the GPU's.
  std::string whyOnTheCpu() const {
    const std::scoped_lock lock(mutex_);
    return whyOnTheCpu_;
  }

 private:
  void remember(std::string why) {
    const std::scoped_lock lock(mutex_);
    whyOnTheCpu_ = std::move(why);
  }

  std::unique_ptr<Engine> gpu_, host_;
  OnGpuFailure onFailure_;
  mutable std::mutex mutex_;  // guards the next member
  std::string whyOnTheCpu_;
};

// The same for any engine; empty: it is no AutoEngine.
std::string whyOnTheCpu(const Engine& engine);

}  // namespace stridescope::engine
