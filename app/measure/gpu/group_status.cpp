#include "measure/gpu/group_status.h"

#include "base/result.h"
#include "engine/gpu/gpu_device.h"
#include "measure/gpu/nccl.h"

namespace stridescope::measure::gpu {
namespace {

Result<void> askDriver(engine::GroupStatus& status, const engine::gpu::GpuPlaces& places) {
  const auto driver = engine::gpu::loadDriver(places.driver);
  if (!driver) return tl::unexpected(driver.error());
  const auto count = engine::gpu::countDevices(**driver);
  if (!count) return tl::unexpected(count.error());
  status.gpus = *count;
  if (status.gpus < 2) return {};
  const auto peers = engine::gpu::loadPeerApi(**driver);
  if (!peers) return tl::unexpected(peers.error());
  std::vector<CUdevice> devices;
  for (unsigned index = 0; index < status.gpus; ++index) {
    const auto facts = engine::gpu::deviceFacts(**driver, index);
    if (!facts) return tl::unexpected(facts.error());
    devices.push_back(facts->device);
  }
  for (unsigned from = 0; from < status.gpus; ++from)
    for (unsigned to = 0; to < status.gpus; ++to) {
      if (from == to) continue;
      int can = 0;
      if (peers->canReach(&can, devices[from], devices[to]) != CUDA_SUCCESS)
        return unavailable("NVIDIA's driver does not tell whether GPU " + std::to_string(from) +
                           " can use the memory of GPU " + std::to_string(to) +
                           " (nvidia-smi topo -p2p r may).");
      if (can == 0) status.unreached.push_back({from, to});
    }
  return {};
}

}  // namespace

engine::GroupStatus queryGroup(const engine::gpu::GpuPlaces& places) {
  engine::GroupStatus status;
  if (const auto asked =
          withoutExceptions("looking for several GPUs", [&] { return askDriver(status, places); });
      !asked)
    status.whyNotAsked = asked.error().sentence;
  const auto nccl = withoutExceptions("looking for NCCL", [] { return Nccl::find(); });
  if (nccl)
    status.ncclLibrary = nccl->path, status.ncclVersion = nccl->version;
  else
    status.whyNoNccl = nccl.error().sentence;
  return status;
}

}  // namespace stridescope::measure::gpu
