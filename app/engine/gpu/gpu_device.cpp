#include "engine/gpu/gpu_device.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>
#include <thread>
#include <vector>

#include "base/numbers.h"
#include "base/result.h"
#include "engine/gpu/compiler.h"
#include "model/trace_check.h"

namespace stridescope::engine::gpu {
namespace {

constexpr const char* kTiming = "time the kernel";

}  // namespace

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
          " and cannot be stopped. Restart the program, or use the CPU executor (on the command line: "
          "--engine host).");
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
                      ". Its threads may wait for each other; the CPU executor names them (on the command "
                      "line: --engine host).");
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

namespace {

// Page-locking is slow (milliseconds a call), so a buffer that has to grow grows at least to the next power
// of two.
constexpr std::uint64_t kMinPinned = 1u << 20;

}  // namespace

std::string bytesText(std::uint64_t bytes) {
  constexpr std::array kUnits{"bytes", "KiB", "MiB", "GiB", "TiB"};
  double amount = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; amount >= 1024 && unit + 1 < kUnits.size(); ++unit) amount /= 1024;
  std::array<char, 48> text{};
  const bool whole = amount == static_cast<double>(static_cast<std::uint64_t>(amount));
  std::snprintf(text.data(), text.size(), whole ? "%.0f %s" : "%.1f %s", amount, kUnits[unit]);
  return text.data();
}

Result<void> DeviceMemory::reserve(std::uint64_t bytes) {
  bytes = std::max<std::uint64_t>(bytes, 1);
  if (address_ != 0 && bytes <= bytes_ && device_->isAlive(generation_)) return {};
  free();
  STRIDESCOPE_TRY(device_->check(device_->api().cuMemAlloc(&address_, bytes), "cuMemAlloc",
                                 "allocate " + bytesText(bytes) + " of GPU memory"));
  bytes_ = bytes;
  generation_ = device_->generation();
  return {};
}

void DeviceMemory::free() {
  if (address_ != 0) device_->release(generation_, [&](const DriverApi& api) { api.cuMemFree(address_); });
  address_ = 0;
  bytes_ = 0;
}

Result<void> PinnedMemory::reserve(std::uint64_t bytes) {
  if (data_ != nullptr && bytes <= bytes_ && device_->isAlive(generation_)) return {};
  free();
  bytes = std::bit_ceil(std::max(bytes, kMinPinned));
  STRIDESCOPE_TRY(device_->check(device_->api().cuMemAllocHost(&data_, bytes), "cuMemAllocHost",
                                 "allocate " + bytesText(bytes) + " of page-locked memory"));
  bytes_ = bytes;
  generation_ = device_->generation();
  return {};
}

void PinnedMemory::free() {
  if (data_ != nullptr)
    device_->release(generation_, [&](const DriverApi& api) { api.cuMemFreeHost(data_); });
  data_ = nullptr;
  bytes_ = 0;
}

namespace {

constexpr std::string_view kElf =
    "\x7f"
    "ELF";  // what machine code begins with

}  // namespace

Result<std::unique_ptr<GpuModule>> GpuModule::load(GpuDevice& device, const CompiledKernel& kernel,
                                                   std::string name) {
  const std::string doing = "load " + name;
  std::unique_ptr<GpuModule> module(new GpuModule(device, std::move(name)));
  const DriverApi& api = device.api();
  // PTX is text; the driver compiles it.
  const bool isPtx = !kernel.image.starts_with(kElf);
  const LibraryCall loading("cuModuleLoadData", isPtx ? kLongCall : kPlainCall);
  STRIDESCOPE_TRY(
      device.check(api.cuModuleLoadData(&module->module_, kernel.image.c_str()), "cuModuleLoadData", doing));
  STRIDESCOPE_TRY(
      device.check(api.cuModuleGetFunction(&module->function_, module->module_, kernel.loweredName.c_str()),
                   "cuModuleGetFunction", doing));
  int bytes = 0;
  STRIDESCOPE_TRY(
      device.check(api.cuFuncGetAttribute(&bytes, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, module->function_),
                   "cuFuncGetAttribute", doing));
  module->staticSharedBytes_ = static_cast<std::uint64_t>(bytes);
  return module;
}

GpuModule::~GpuModule() {
  if (module_ != nullptr)
    device_.release(generation_, [&](const DriverApi& api) { api.cuModuleUnload(module_); });
}

Result<CUdeviceptr> GpuModule::variable(const char* symbol, std::size_t bytes) {
  CUdeviceptr address = 0;
  std::size_t found = 0;
  STRIDESCOPE_TRY(device_.check(device_.api().cuModuleGetGlobal(&address, &found, module_, symbol),
                                "cuModuleGetGlobal", "find " + std::string(symbol) + " in " + name_));
  if (found != bytes)
    return unavailable(
        "The compiled recorder of " + name_ +
            " does not fit this program. Empty the cache of "
            "compiled kernels (doctor names its folder).",
        std::string(symbol) + ": " + std::to_string(found) + " bytes, not " + std::to_string(bytes));
  return address;
}

Result<void> GpuModule::allow(const LaunchSize& size) {
  if (size.grid.isOneRow() && size.grid.x > model::kMaxGrid.x)
    return usageError("The GPU launches at most " + figure(model::kMaxGrid.x) + " blocks, not " +
                      figure(size.grid.x) + ". Take larger blocks or fewer elements.");
  if (const auto fault = model::faultOfShape(size.grid, size.block))
    return usageError("The GPU cannot launch " + *fault + ". Choose another shape.");
  if (size.sharedBytes + staticSharedBytes_ <= allowedSharedBytes_) return {};
  STRIDESCOPE_TRY(device_.check(
      device_.api().cuFuncSetAttribute(function_, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                       static_cast<int>(size.sharedBytes)),
      "cuFuncSetAttribute",
      "give a block of " + name_ + " " + bytesText(size.sharedBytes) + " of shared memory"));
  allowedSharedBytes_ = size.sharedBytes + staticSharedBytes_;
  return {};
}

CUresult enqueueLaunch(const DriverApi& api, CUfunction function, const LaunchSize& size, CUstream stream,
                       void** parameters) {
  const auto gridX = static_cast<unsigned>(size.grid.x), blockX = static_cast<unsigned>(size.block.x);
  const auto sharedBytes = static_cast<unsigned>(size.sharedBytes);
  if (size.cluster == 1)
    return api.cuLaunchKernel(function, gridX, size.grid.y, size.grid.z, blockX, size.block.y, size.block.z,
                              sharedBytes, stream, parameters, nullptr);
  if (api.launchInClusters == nullptr) return CUDA_ERROR_NOT_SUPPORTED;
  CUlaunchAttribute cluster{};
  cluster.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
  cluster.value.clusterDim.x = size.cluster;
  cluster.value.clusterDim.y = cluster.value.clusterDim.z = 1;
  CUlaunchConfig config{};
  config.gridDimX = gridX, config.gridDimY = size.grid.y, config.gridDimZ = size.grid.z;
  config.blockDimX = blockX, config.blockDimY = size.block.y, config.blockDimZ = size.block.z;
  config.sharedMemBytes = sharedBytes;
  config.hStream = stream;
  config.attrs = &cluster;
  config.numAttrs = 1;
  return api.launchInClusters(&config, function, parameters, nullptr);
}

Result<void> GpuModule::launch(const LaunchSize& size, std::span<const std::uint64_t> arguments) {
  STRIDESCOPE_TRY(allow(size));
  const std::string doing = "launch " + name_ + " with " + model::text(size.grid) + " blocks of " +
                            model::text(size.block) + " threads";
  std::vector<std::uint64_t> values(arguments.begin(), arguments.end());
  std::vector<void*> pointers;
  for (std::uint64_t& value : values) pointers.push_back(&value);
  return device_.check(enqueueLaunch(device_.api(), function_, size, device_.stream(), pointers.data()),
                       size.cluster == 1 ? "cuLaunchKernel" : "cuLaunchKernelEx", doing);
}

namespace {

// Finds functions of the driver, each by the first of its names that is there: newer drivers have newer forms
// of the same function.
class FunctionFinder {
 public:
  explicit FunctionFinder(const DriverApi& driver) : driver_(driver) {}

  template <class Function>
  void find(Function& function, std::initializer_list<const char*> names) {
    for (const char* name : names)
      if (function == nullptr) function = driver_.library->function<typename Function::Pointer>(name);
    if (function == nullptr) missing_ += std::string(missing_.empty() ? "" : ", ") + *names.begin();
  }

  // `what`: "timings".
  Result<void> hasAllFor(const std::string& what) const {
    if (missing_.empty()) return {};
    return unavailable("NVIDIA's driver is too old for " + what + ". Update the driver.",
                       driver_.library->path() + " has no " + missing_);
  }

 private:
  const DriverApi& driver_;
  std::string missing_;
};

}  // namespace

Result<TimingApi> loadTimingApi(const DriverApi& driver) {
  TimingApi api;
  FunctionFinder functions(driver);
  functions.find(api.createEvent, {"cuEventCreate"});
  functions.find(api.destroyEvent, {"cuEventDestroy_v2"});
  functions.find(api.recordEvent, {"cuEventRecord"});
  functions.find(api.elapsedTime, {"cuEventElapsedTime_v2", "cuEventElapsedTime"});
  functions.find(api.residentBlocks, {"cuOccupancyMaxActiveBlocksPerMultiprocessor"});
  functions.find(api.copyWithin, {"cuMemcpyDtoDAsync_v2"});
  functions.find(api.beginCapture, {"cuStreamBeginCapture_v2"});
  functions.find(api.endCapture, {"cuStreamEndCapture"});
  functions.find(api.instantiateGraph, {"cuGraphInstantiateWithFlags"});
  functions.find(api.launchGraph, {"cuGraphLaunch"});
  functions.find(api.destroyExecutable, {"cuGraphExecDestroy"});
  functions.find(api.destroyGraph, {"cuGraphDestroy"});
  STRIDESCOPE_TRY(functions.hasAllFor("timings"));
  return api;
}

Result<PeerApi> loadPeerApi(const DriverApi& driver) {
  PeerApi api;
  FunctionFinder functions(driver);
  functions.find(api.canReach, {"cuDeviceCanAccessPeer"});
  functions.find(api.enableAccess, {"cuCtxEnablePeerAccess"});
  functions.find(api.waitForEvent, {"cuStreamWaitEvent"});
  STRIDESCOPE_TRY(functions.hasAllFor("several GPUs at once"));
  return api;
}

Result<void> GpuDevice::reach(const GpuDevice& other) {
  const auto peers = loadPeerApi(*api_);
  if (!peers) return tl::unexpected(peers.error());
  const std::string doing = "let " + facts_.name + " use the memory of another GPU";
  int can = 0;
  STRIDESCOPE_TRY(
      check(peers->canReach(&can, facts_.device, other.facts_.device), "cuDeviceCanAccessPeer", doing));
  if (can == 0)
    return unavailable(
        "GPU " + std::to_string(facts_.device) + " cannot use the memory of GPU " +
        std::to_string(other.facts_.device) +
        " (nvidia-smi topo -p2p r says which GPUs can). Their kernels cannot exchange messages, "
        "so the family \"several GPUs\" is not timed here.");
  const CUresult code = peers->enableAccess(other.context_, 0);
  if (code == CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED) return {};
  return check(code, "cuCtxEnablePeerAccess", doing);
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
