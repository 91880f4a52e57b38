#include "engine/gpu/stopwatch.h"

namespace stridescope::engine::gpu {
namespace {

constexpr const char* kTiming = "time the kernel";

}  // namespace

Result<TimingApi> loadTimingApi(const DriverApi& driver) {
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

Result<std::unique_ptr<Stopwatch>> Stopwatch::make(GpuDevice& device) {
  const auto api = loadTimingApi(device.api());
  if (!api) return tl::unexpected(api.error());
  std::unique_ptr<Stopwatch> watch(new Stopwatch(device, *api));
  for (CUevent* event : {&watch->begin_, &watch->end_})
    STRIDESCOPE_TRY(device.check(watch->api_.createEvent(event, CU_EVENT_DEFAULT), "cuEventCreate", kTiming));
  return watch;
}

Stopwatch::~Stopwatch() {
  for (const CUevent event : {begin_, end_})
    if (event != nullptr && device_.isUsable()) api_.destroyEvent(event);
}

Result<double> Stopwatch::timed(const std::function<Result<void>()>& launches,
                                std::chrono::milliseconds limit) {
  STRIDESCOPE_TRY(device_.check(api_.recordEvent(begin_, device_.stream()), "cuEventRecord", kTiming));
  STRIDESCOPE_TRY(launches());
  STRIDESCOPE_TRY(device_.check(api_.recordEvent(end_, device_.stream()), "cuEventRecord", kTiming));
  STRIDESCOPE_TRY(device_.finish("run the kernel", limit));
  float milliseconds = 0;
  STRIDESCOPE_TRY(
      device_.check(api_.elapsedTime(&milliseconds, begin_, end_), "cuEventElapsedTime", kTiming));
  return 1000.0 * double(milliseconds);
}

}  // namespace stridescope::engine::gpu
