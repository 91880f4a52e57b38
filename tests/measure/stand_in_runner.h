// A runner in the host's memory: it keeps what it is asked for, and a test says what a clocked kernel leaves.
#pragma once

#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "clocking/clock_control.h"
#include "measure/gpu/clean_kernel.h"

namespace stridescope::measure::gpu {

class StandInRun final : public TimedRun {
 public:
  StandInRun(std::span<std::uint8_t> result, std::function<double(std::span<std::uint8_t>)> ran,
             double sinceMoment, std::vector<std::uint64_t>& inputs)
      : result_(result), ran_(std::move(ran)), sinceMoment_(sinceMoment), inputs_(inputs) {}
  Result<TimedOutcome> run(std::uint64_t input) override {
    inputs_.push_back(input);
    return TimedOutcome{ran_ ? ran_(result_) : 1.0, result_, sinceMoment_};
  }
  // What one GPU of several does in parts is the business of other stand-ins (stand_in_group.h).
  Result<void> prepareInput(std::uint64_t) override { return {}; }
  Result<void> enqueue(std::uint64_t) override { return {}; }
  std::span<const std::uint8_t> result() const override { return result_; }

 private:
  std::span<std::uint8_t> result_;
  std::function<double(std::span<std::uint8_t>)> ran_;
  double sinceMoment_;
  std::vector<std::uint64_t>& inputs_;
};

class StandInKernel final : public CleanKernel {
 public:
  explicit StandInKernel(std::span<std::uint8_t> control = {}) : control_(control) {}
  Result<void> launch(const CleanLaunch&) override { return {}; }
  Result<std::uint64_t> variable(const char*, std::size_t bytes) override {
    if (bytes != control_.size()) return unavailable("There is no such variable.");
    return std::uint64_t(reinterpret_cast<std::uintptr_t>(control_.data()));
  }
  Result<KernelFit> fit(std::uint64_t threads, std::uint64_t) override {
    return KernelFit{.registers = 16, .residentBlocks = unsigned(2048 / threads)};
  }
  bool marks() const { return !control_.empty(); }

 private:
  std::span<std::uint8_t> control_;  // the variable that it has
};

class StandInBuffer final : public GpuBuffer {
 public:
  explicit StandInBuffer(std::uint64_t bytes) : memory_(bytes, 0xee) {}
  std::uint64_t address() const override { return reinterpret_cast<std::uintptr_t>(memory_.data()); }
  std::uint64_t bytes() const override { return memory_.size(); }

 private:
  std::vector<std::uint8_t> memory_;
};

class StandInRunner final : public CleanRunner {
 public:
  Result<std::unique_ptr<CleanKernel>> load(const model::Experiment&, TimedForm form) override {
    if (form == TimedForm::Clean) return std::make_unique<StandInKernel>();
    const auto bytesOf = [](auto& variable) {
      return std::span(reinterpret_cast<std::uint8_t*>(&variable), sizeof variable);
    };
    return std::make_unique<StandInKernel>(form >= TimedForm::Peeled ? bytesOf(peelControl)
                                                                     : bytesOf(control));
  }
  Result<std::unique_ptr<CleanKernel>> load(const std::string&, const std::string&,
                                            const std::string&) override {
    return std::make_unique<StandInKernel>();
  }
  Result<std::unique_ptr<GpuBuffer>> allocate(std::uint64_t bytes) override {
    allocated.push_back(bytes);
    return std::make_unique<StandInBuffer>(bytes);
  }
  Result<void> upload(const GpuBuffer& to, std::span<const std::uint8_t> bytes) override {
    return upload(to.address(), bytes);
  }
  Result<void> upload(std::uint64_t address, std::span<const std::uint8_t> bytes) override {
    if (failsToUpload) return unavailable("The bus is on fire.");
    std::memcpy(reinterpret_cast<void*>(static_cast<std::uintptr_t>(address)), bytes.data(), bytes.size());
    return {};
  }
  Result<void> download(const GpuBuffer&, std::span<std::uint8_t>) override { return {}; }
  Result<void> wait() override { return {}; }
  Result<void> wait(std::chrono::milliseconds) override { return {}; }
  Result<bool> isDone() override { return true; }
  Result<void> reach(CleanRunner&) override { return unavailable("There is one GPU."); }
  Result<void> setMark() override { return {}; }
  Result<void> waitForMark(CleanRunner&) override { return {}; }
  Result<std::unique_ptr<TimedRun>> timed(TimedPlan given) override {
    plan = std::move(given);
    const auto* const launch = plan.steps.empty() ? nullptr : std::get_if<TimedLaunch>(&plan.steps.back());
    const bool marks = launch != nullptr && static_cast<const StandInKernel*>(launch->kernel)->marks();
    std::function<double(std::span<std::uint8_t>)> ran = marks ? clockedRun : nullptr;
    if (plannedRun)
      ran = [this, copied = plan](std::span<std::uint8_t> result) { return plannedRun(copied, result); };
    return std::make_unique<StandInRun>(
        std::span(reinterpret_cast<std::uint8_t*>(static_cast<std::uintptr_t>(plan.resultAddress)),
                  plan.resultBytes),
        std::move(ran), sinceMoment, inputs);
  }
  Result<CounterLists> counted(TimedPlan given) override {
    plan = std::move(given);
    return CounterLists(plan.steps.size(), {{model::Counter::Instructions, double(plan.steps.size())}});
  }
  Result<void> copy(const TimedCopy&) override { return {}; }
  Result<GpuMemoryFacts> memoryFacts() override { return facts; }
  std::vector<std::string> disturbances() override { return {}; }
  bool isUsable() const override { return true; }
  void* stream() const override { return nullptr; }

  bool failsToUpload = false;
  clocking::Control control;  // the clocked kernel's
  // What a launch of that leaves; gives its microseconds.
  std::function<double(std::span<std::uint8_t> result)> clockedRun;
  clocking::PeelControl peelControl;  // the peeled kernel's
  // In place of that, what a run of any plan leaves.
  std::function<double(const TimedPlan& plan, std::span<std::uint8_t> result)> plannedRun;
  double sinceMoment = 0;  // microseconds from a plan's moment to its first event
  GpuMemoryFacts facts;
  std::vector<std::uint64_t> allocated;
  TimedPlan plan;
  std::vector<std::uint64_t> inputs;  // of all runs, in order
};

}  // namespace stridescope::measure::gpu
