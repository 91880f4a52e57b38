#include "engine/gpu/gpu_device.h"

#include <array>
#include <thread>

#include "base/result.h"

namespace stridescope::engine::gpu {

std::string DeviceFacts::capabilityText() const {
  return std::to_string(computeCapability / 10) + "." + std::to_string(computeCapability % 10);
}

Result<unsigned> countDevices(const DriverApi& api) {
  int count = 0;
  CUresult code = api.cuDeviceGetCount(&count);
  if (code == CUDA_SUCCESS && count <= 0) code = CUDA_ERROR_NO_DEVICE;
  if (code != CUDA_SUCCESS) return tl::unexpected(driverError(api, code, "cuDeviceGetCount", "find a GPU"));
  return static_cast<unsigned>(count);
}

Result<DeviceFacts> deviceFacts(const DriverApi& api, unsigned index) {
  const auto count = countDevices(api);
  if (!count) return tl::unexpected(count.error());
  if (index >= *count)
    return usageError("There is no GPU " + std::to_string(index) + ": the driver lists " +
                      std::to_string(*count) + ", numbered from 0. CUDA_VISIBLE_DEVICES may hide others.");

  DeviceFacts facts;
  std::array<char, 256> name{};
  std::size_t memory = 0;
  int major = 0, minor = 0, multiprocessors = 0;
  const auto attribute = [&](int& value, CUdevice_attribute which) {
    return api.cuDeviceGetAttribute(&value, which, facts.device);
  };
  std::string_view call = "cuDeviceGet";
  CUresult code = api.cuDeviceGet(&facts.device, static_cast<int>(index));
  const auto next = [&](std::string_view nextCall, auto&& ask) {
    if (code != CUDA_SUCCESS) return;
    call = nextCall;
    code = ask();
  };
  next("cuDeviceGetName",
       [&] { return api.cuDeviceGetName(name.data(), static_cast<int>(name.size() - 1), facts.device); });
  next("cuDeviceTotalMem", [&] { return api.cuDeviceTotalMem(&memory, facts.device); });
  constexpr std::string_view ask = "cuDeviceGetAttribute";
  next(ask, [&] { return attribute(major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR); });
  next(ask, [&] { return attribute(minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR); });
  next(ask, [&] { return attribute(multiprocessors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT); });
  next(ask, [&] { return attribute(facts.computeMode, CU_DEVICE_ATTRIBUTE_COMPUTE_MODE); });
  if (code != CUDA_SUCCESS)
    return tl::unexpected(driverError(api, code, call, "ask GPU " + std::to_string(index) + " what it is"));

  facts.name = name.data();
  facts.memoryBytes = memory;
  facts.computeCapability = major * 10 + minor;
  facts.multiprocessors = static_cast<unsigned>(multiprocessors);
  return facts;
}

GpuDevice::GpuDevice(std::shared_ptr<const DriverApi> api, DeviceFacts facts, ContextKind kind)
    : api_(std::move(api)), facts_(std::move(facts)), kind_(kind) {}

GpuDevice::~GpuDevice() {
  if (context_ == nullptr) return;
  // Destroying a context waits for its kernels: one that never ends would hold the program up for ever. The
  // driver stops it when the process ends.
  if (running_ && api_->cuStreamQuery(stream_) == CUDA_ERROR_NOT_READY) return;
  if (!lost_) release(generation_, [&](const DriverApi& api) { api.cuStreamDestroy(stream_); });
  tearDown();
}

GpuDevice::Entered::~Entered() {
  CUcontext popped = nullptr;
  if (api_ != nullptr) api_->cuCtxPopCurrent(&popped);
}

Result<GpuDevice::Entered> GpuDevice::enter() {
  if (lost_) tearDown();
  if (context_ == nullptr) STRIDESCOPE_TRY(build());
  STRIDESCOPE_TRY(check(api_->cuCtxPushCurrent(context_), "cuCtxPushCurrent", "use " + facts_.name));
  Entered entered(api_.get());
  if (stream_ == nullptr)
    STRIDESCOPE_TRY(check(api_->cuStreamCreate(&stream_, CU_STREAM_NON_BLOCKING), "cuStreamCreate",
                          "prepare " + facts_.name + " for work"));
  if (running_) {
    const CUresult code = api_->cuStreamQuery(stream_);
    if (code == CUDA_ERROR_NOT_READY)
      return unavailable(
          "An earlier kernel still runs on " + facts_.name +
          " and cannot be stopped. Restart the program, or use the CPU executor: --engine host.");
    running_ = false;
    STRIDESCOPE_TRY(check(code, "cuStreamQuery", "finish the earlier kernel"));
  }
  return entered;
}

Result<void> GpuDevice::check(CUresult code, std::string_view call, std::string_view doing) {
  if (code == CUDA_SUCCESS) return {};
  lost_ = lost_ || losesContext(code);
  return tl::unexpected(driverError(*api_, code, call, doing));
}

Result<void> GpuDevice::finish(std::string_view doing, std::chrono::milliseconds limit) {
  using Clock = std::chrono::steady_clock;
  using namespace std::chrono_literals;
  const auto begin = Clock::now();
  for (;;) {
    const CUresult code = api_->cuStreamQuery(stream_);
    if (code != CUDA_ERROR_NOT_READY) return check(code, "cuStreamQuery", doing);
    const auto waited = Clock::now() - begin;
    if (waited > limit) {
      running_ = true;
      return limitMet("The GPU did not finish within " +
                      std::to_string(std::chrono::duration_cast<std::chrono::seconds>(limit).count()) +
                      " s to " + std::string(doing) +
                      ". Its threads may wait for each other; the CPU executor (--engine host) names them.");
    }
    if (waited > 2ms)  // until then it is likelier to be ready at once than the thread to be woken in time
      std::this_thread::sleep_for(200us);
    else
      std::this_thread::yield();
  }
}

bool GpuDevice::isAlive(unsigned generation) const {
  return generation == generation_ && context_ != nullptr && !lost_ && !running_;
}

Result<void> GpuDevice::build() {
  if (facts_.computeMode == CU_COMPUTEMODE_PROHIBITED)
    return unavailable(facts_.name +
                       " is set to let no program compute. An administrator allows it with nvidia-smi "
                       "--compute-mode=DEFAULT.");
  const std::string doing = "open " + facts_.name;
  if (kind_ == ContextKind::Primary) {
    STRIDESCOPE_TRY(
        check(api_->cuDevicePrimaryCtxRetain(&context_, facts_.device), "cuDevicePrimaryCtxRetain", doing));
  } else {
    STRIDESCOPE_TRY(
        check(api_->createContext(&context_, CU_CTX_SCHED_AUTO, facts_.device), "cuCtxCreate", doing));
    CUcontext popped = nullptr;  // creating made it current
    STRIDESCOPE_TRY(check(api_->cuCtxPopCurrent(&popped), "cuCtxPopCurrent", doing));
  }
  ++generation_;
  return {};
}

// Whatever is still in the context goes with it.
void GpuDevice::tearDown() {
  if (context_ != nullptr && kind_ == ContextKind::Own) api_->cuCtxDestroy(context_);
  if (context_ != nullptr && kind_ == ContextKind::Primary) {
    api_->cuDevicePrimaryCtxRelease(facts_.device);
    // Others of this process may hold the same context; once lost it is of no use to them either.
    if (lost_) api_->cuDevicePrimaryCtxReset(facts_.device);
  }
  context_ = nullptr;
  stream_ = nullptr;
  lost_ = false;
  running_ = false;
}

}  // namespace stridescope::engine::gpu
