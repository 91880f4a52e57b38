// The log that patches write (kernels/access_gpu/log.h) in a GPU's memory: made ready for a launch, and read
// behind it.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "access_gpu/log.h"
#include "engine/access/gpu/access_log.h"
#include "engine/access/gpu/loaded_kernels.h"
#include "engine/access/gpu/whole_barriers.h"
#include "engine/access/gpu_access.h"
#include "engine/gpu/gpu_device.h"

namespace stridescope::engine::access::gpu {

// A launch to be recorded: the block that it names, or all of its grid.
struct RecordedLaunch {
  const AccessLaunch& launch;
  std::uint64_t windowBegin = 0, windowBytes = 0;  // what blocks have of shared memory
  bool keepsCopies = true;                         // of it, at block barriers
  std::uint64_t told = 0;                          // patched::Log::told

  std::uint64_t blocks() const { return launch.recordsAll ? launch.grid.count() : 1; }
};

struct WrittenLog {
  std::vector<WrittenBlock> blocks{};
  std::uint64_t dropped = 0;  // entries for which there was no room
  std::uint32_t faults = 0;
  patched::Fault fault{};
  std::array<std::uint32_t, patched::kMissed> missed{};
};

// Within the device's context, as all that it does.
class LogMemory {
 public:
  explicit LogMemory(engine::gpu::GpuDevice& device)
      : device_(device), log_(device), entries_(device), copies_(device), states_(device) {}

  Result<void> prepare(const RecordedLaunch& recorded, const DeviceArrays& arrays);
  CUdeviceptr address() const { return log_.address(); }
  // What the launch has written that prepare() was last called for. It has ended.
  Result<WrittenLog> fetch(const RecordedLaunch& recorded);

 private:
  static std::uint32_t copyCapacity(const RecordedLaunch& recorded);

  engine::gpu::GpuDevice& device_;
  engine::gpu::DeviceMemory log_, entries_, copies_, states_;
};

}  // namespace stridescope::engine::access::gpu
