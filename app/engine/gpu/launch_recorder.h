// Launches a recorded module and brings back what its inspected block did.
#pragma once

#include <string_view>
#include <vector>

#include "engine/gpu/gpu_device.h"
#include "engine/record_run.h"
#include "instrument/instrument.h"
#include "recording/gpu_control.h"

namespace stridescope::engine::gpu {

class LaunchRecorder {
 public:
  explicit LaunchRecorder(GpuDevice& device, RecordLimits limits = {});

  // Allocates what every launch needs. Within a GpuDevice::Entered. Optional: record() does it too.
  Result<void> makeReady();

  // Runs one launch and waits for it. Within a GpuDevice::Entered.
  Result<RecordedLaunch> record(GpuModule& module, const instrument::Instrumented& instrumented,
                                const LaunchSize& size, std::uint64_t inspected,
                                const std::vector<KernelArgument>& arguments);

 private:
  // Where things lie in counters_ and how much there is room for.
  struct Room {
    std::uint32_t events = 0;  // per thread
    std::uint32_t slots = 0;   // for block barriers
    std::uint64_t slotBytes = 0;
    std::uint64_t counterBytes = 0;
  };
  struct Counted {  // what the launch left in the control block and the counters
    recording::GpuControl control;
    std::vector<std::uint32_t> events;  // how many each thread made
    std::uint32_t barriers = 0;         // the most that a thread passed
  };

  static bool allThreadsFinished(const Counted& counted, const Room& room);
  Result<Room> makeRoom(const GpuModule& module, const LaunchSize& size);
  Result<void> start(GpuModule& module, const LaunchSize& size, std::uint64_t inspected,
                     const std::vector<KernelArgument>& arguments, const Room& room);
  Result<Counted> fetchCounters(GpuModule& module, const LaunchSize& size, const Room& room);
  Result<void> fetchEvents(model::LaunchTrace& trace, const instrument::Instrumented& instrumented,
                           const Counted& counted, const Room& room);
  Result<void> fetchSlots(model::LaunchTrace& trace, const Counted& counted, const Room& room);
  Result<void> copyBack(CUdeviceptr from, std::uint64_t bytes, std::string_view doing);

  GpuDevice& device_;
  RecordLimits limits_;
  DeviceMemory log_, counters_, slots_;
  std::uint64_t logBytes_ = 0;
  PinnedMemory staging_;
  CUdeviceptr control_ = 0;  // in the module in use
};

}  // namespace stridescope::engine::gpu
