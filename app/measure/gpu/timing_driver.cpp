#include "measure/gpu/timing_driver.h"

#include <array>

#include "base/result.h"

namespace stridescope::measure::gpu {
namespace {

std::string busIdOf(const engine::gpu::GpuDevice& device) {
  const engine::LibraryCall call("cuDeviceGetPCIBusId");
  const auto ask = device.api().library->function<decltype(&::cuDeviceGetPCIBusId)>("cuDeviceGetPCIBusId");
  std::array<char, 32> text{};
  const bool told = ask != nullptr &&
                    ask(text.data(), static_cast<int>(text.size()), device.facts().device) == CUDA_SUCCESS;
  return told ? text.data() : "";
}

}  // namespace

Result<TimingApi> loadTimingApi(const engine::gpu::DriverApi& driver) {
  TimingApi api;
  std::string missing;
  // The first of the names that is there: newer drivers have newer forms of the same function.
  const auto find = [&](auto& function, std::initializer_list<const char*> names) {
    using Function = typename std::remove_reference_t<decltype(function)>::Pointer;
    for (const char* name : names)
      if (function == nullptr) function = driver.library->function<Function>(name);
    if (function == nullptr) missing += std::string(missing.empty() ? "" : ", ") + *names.begin();
  };
  find(api.createEvent, {"cuEventCreate"});
  find(api.destroyEvent, {"cuEventDestroy_v2"});
  find(api.recordEvent, {"cuEventRecord"});
  find(api.elapsedTime, {"cuEventElapsedTime_v2", "cuEventElapsedTime"});
  find(api.residentBlocks, {"cuOccupancyMaxActiveBlocksPerMultiprocessor"});
  find(api.copyWithin, {"cuMemcpyDtoDAsync_v2"});
  find(api.beginCapture, {"cuStreamBeginCapture_v2"});
  find(api.endCapture, {"cuStreamEndCapture"});
  find(api.instantiateGraph, {"cuGraphInstantiateWithFlags"});
  find(api.launchGraph, {"cuGraphLaunch"});
  find(api.destroyExecutable, {"cuGraphExecDestroy"});
  find(api.destroyGraph, {"cuGraphDestroy"});
  if (!missing.empty())
    return unavailable("NVIDIA's driver is too old for timings. Update the driver.",
                       driver.library->path() + " has no " + missing);
  return api;
}

Result<GpuMemoryFacts> factsOfMemory(engine::gpu::GpuDevice& device) {
  const engine::gpu::DriverApi& api = device.api();
  std::size_t free = 0, total = 0;
  STRIDESCOPE_TRY(device.check(api.cuMemGetInfo(&free, &total), "cuMemGetInfo",
                               "ask for the free memory of " + device.facts().name));
  const auto attribute = [&](CUdevice_attribute which) {
    int value = 0;
    const bool told = api.cuDeviceGetAttribute(&value, which, device.facts().device) == CUDA_SUCCESS;
    return told && value > 0 ? double(value) : 0.0;
  };
  const double clockKilohertz = attribute(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE);
  const double busBits = attribute(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH);
  constexpr double kTransfersPerClock = 2;  // double data rate
  return GpuMemoryFacts{
      .name = device.facts().name,
      .computeCapability = device.facts().capabilityText(),
      .multiprocessors = device.facts().multiprocessors,
      .freeBytes = free,
      .l2Bytes = static_cast<std::uint64_t>(attribute(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE)),
      .peakGigabytesPerSecond = clockKilohertz * 1e3 * kTransfersPerClock * busBits / 8 / 1e9,
      .busId = busIdOf(device)};
}

}  // namespace stridescope::measure::gpu
