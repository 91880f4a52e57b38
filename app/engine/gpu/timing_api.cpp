#include "engine/gpu/timing_api.h"

#include <string>

namespace stridescope::engine::gpu {

Result<TimingApi> loadTimingApi(const DriverApi& driver) {
  TimingApi api;
  std::string missing;
  // The first of the names that is there: newer drivers have newer forms of the same function.
  const auto find = [&](auto& function, std::initializer_list<const char*> names) {
    using Function = std::remove_reference_t<decltype(function)>;
    for (const char* name : names)
      if (function == nullptr) function = driver.library->function<Function>(name);
    if (function == nullptr) missing += std::string(missing.empty() ? "" : ", ") + *names.begin();
  };
  find(api.createEvent, {"cuEventCreate"});
  find(api.destroyEvent, {"cuEventDestroy_v2"});
  find(api.recordEvent, {"cuEventRecord"});
  find(api.elapsedTime, {"cuEventElapsedTime_v2", "cuEventElapsedTime"});
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

}  // namespace stridescope::engine::gpu
