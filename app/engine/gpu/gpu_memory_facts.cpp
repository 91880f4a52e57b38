#include "engine/gpu/gpu_memory_facts.h"

#include <array>

#include "engine/gpu/try.h"

namespace stridescope::engine::gpu {
namespace {

std::string busIdOf(const GpuDevice& device) {
  const auto ask = device.api().library->function<decltype(&::cuDeviceGetPCIBusId)>("cuDeviceGetPCIBusId");
  std::array<char, 32> text{};
  const bool told = ask != nullptr &&
                    ask(text.data(), static_cast<int>(text.size()), device.facts().device) == CUDA_SUCCESS;
  return told ? text.data() : "";
}

}  // namespace

Result<GpuMemoryFacts> factsOfMemory(GpuDevice& device) {
  const DriverApi& api = device.api();
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

}  // namespace stridescope::engine::gpu
