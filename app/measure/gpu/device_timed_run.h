// TimedRun on a device: prepared so that nothing is allocated, compiled or looked up between the two events.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "engine/gpu/gpu_device.h"
#include "measure/gpu/clean_kernel.h"

namespace stridescope::measure::gpu {

using engine::gpu::TimingApi;

// Within a GpuDevice::Entered.
Result<GpuMemoryFacts> factsOfMemory(engine::gpu::GpuDevice& device);

class DeviceTimedRun final : public TimedRun {
 public:
  // Called within an engine::gpu::GpuDevice::Entered. `modules` are those of the launches among `before` and
  // then `steps`, in order.
  static Result<std::unique_ptr<DeviceTimedRun>> make(engine::gpu::GpuDevice& device, const TimingApi& api,
                                                      TimedPlan plan,
                                                      const std::vector<engine::gpu::GpuModule*>& modules);
  ~DeviceTimedRun() override;

  Result<TimedOutcome> run(std::uint64_t input) override;

  Result<void> prepareInput(std::uint64_t input) override;
  Result<void> enqueue(std::uint64_t input) override;
  std::span<const std::uint8_t> result() const override;

  // The steps alone, not timed; waits for their end. Within an Entered.
  Result<void> runSteps(std::uint64_t input);

 private:
  // A launch with its arguments laid out as the driver takes them.
  struct Launch {
    CUfunction function = nullptr;
    engine::gpu::LaunchSize size{};
    std::vector<std::uint64_t> values;
    std::map<std::size_t, std::vector<std::uint64_t>> structures;
    std::vector<void*> pointers;
    std::vector<std::size_t> inputs;  // places among the values
  };
  struct Copy {
    TimedCopy copy;
    bool fromInput = false;
  };
  using Step = std::variant<Launch, Copy, TimedFill, TimedWork, TimedMoment>;

  DeviceTimedRun(engine::gpu::GpuDevice& device, const TimingApi& api, TimedPlan plan)
      : device_(device), api_(api), plan_(std::move(plan)), result_(device) {}
  Result<void> prepare(const std::vector<engine::gpu::GpuModule*>& modules);
  Result<Step> prepared(const TimedStep& step, engine::gpu::GpuModule* module) const;
  static void setInput(std::vector<Step>& steps, std::uint64_t input);

  Result<engine::gpu::GpuDevice::Entered> enter();
  Result<void> enqueueSteps(const std::vector<Step>& steps, std::uint64_t input);
  CUresult enqueueLaunch(const Launch& launch);
  Result<void> captureSteps(std::uint64_t input);
  void destroyGraph();
  Result<void> timeSteps(std::uint64_t input);
  CUresult copyResult();
  Result<double> microsecondsBetween(CUevent first, CUevent last) const;

  engine::gpu::GpuDevice& device_;
  const TimingApi api_;
  const TimedPlan plan_;
  std::vector<Step> before_, steps_;
  unsigned generation_ = 0;
  CUevent begin_ = nullptr, end_ = nullptr;
  CUevent moment_ = nullptr;  // null: the plan has none
  engine::gpu::PinnedMemory result_;
  CUgraph graph_ = nullptr;
  CUgraphExec executable_ = nullptr;
};

}  // namespace stridescope::measure::gpu
