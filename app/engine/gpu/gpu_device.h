// One GPU: what it is, its context and stream, and the check that every driver call goes through.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "engine/gpu/driver_api.h"
#include "engine/library_call.h"
#include "model/dim3.h"

namespace stridescope::engine::gpu {

// What the driver tells of a GPU without a context.
struct DeviceFacts {
  CUdevice device = 0;
  std::string name;           // "NVIDIA H200"
  int computeCapability = 0;  // 90
  std::uint64_t memoryBytes = 0;
  unsigned multiprocessors = 0;
  int computeMode = CU_COMPUTEMODE_DEFAULT;

  std::string capabilityText() const;  // "9.0"
};
Result<unsigned> countDevices(const DriverApi& api);
Result<DeviceFacts> deviceFacts(const DriverApi& api, unsigned index);

enum class ContextKind {
  Own,      // a kernel that fails takes nobody else's memory with it
  Primary,  // shared with CUDA's runtime library and what is built on it: nothing is switched between them
};

// A context on the GPU. A kernel that fails takes the context with it; the next enter() makes a new one, and
// what was made in the old one is gone: memory, modules and the stream belong to a `generation`. One thread
// at a time.
class GpuDevice {
 public:
  GpuDevice(std::shared_ptr<const DriverApi> api, DeviceFacts facts, ContextKind kind);
  ~GpuDevice();
  GpuDevice(const GpuDevice&) = delete;
  GpuDevice& operator=(const GpuDevice&) = delete;

  // The context is current to the calling thread as long as this lives.
  class Entered {
   public:
    explicit Entered(const DriverApi* api) : api_(api) {}
    Entered(Entered&& other) noexcept : api_(std::exchange(other.api_, nullptr)) {}
    Entered& operator=(Entered&&) = delete;
    ~Entered();

   private:
    const DriverApi* api_;
  };
  Result<Entered> enter();

  // Success, or the error of `call`, made while the program was about to do what `doing` says.
  Result<void> check(CUresult code, std::string_view call, std::string_view doing);

  // Waits until the stream has done everything. Fails at the limit: the GPU cannot be told to stop a kernel,
  // so the engine refuses work until that kernel has ended.
  Result<void> finish(std::string_view doing, std::chrono::milliseconds limit);

  // False after a failure in which a kernel took the context with it or did not end. A real driver refuses
  // the process every further context then: only another process can go on.
  bool isUsable() const { return !lost_ && !running_; }

  // True while what was made in `generation` still exists and may be freed.
  bool isAlive(unsigned generation) const;
  // Makes the context current and calls `free`, if the generation is alive; else there is nothing to free.
  template <class Free>
  void release(unsigned generation, Free free) {
    if (!isAlive(generation) || api_->cuCtxPushCurrent(context_) != CUDA_SUCCESS) return;
    const Entered scope(api_.get());
    free(*api_);
  }

  // From now on this GPU's kernels and copies may use the other's memory, by its addresses. Within an Entered
  // of this one; the other was entered before. Fails with kind Unavailable where the two do not reach each
  // other.
  Result<void> reach(const GpuDevice& other);

  const DriverApi& api() const { return *api_; }
  const DeviceFacts& facts() const { return facts_; }
  CUstream stream() const { return stream_; }
  unsigned generation() const { return generation_; }

 private:
  Result<void> build();
  void tearDown();

  std::shared_ptr<const DriverApi> api_;
  DeviceFacts facts_;
  ContextKind kind_;
  CUcontext context_ = nullptr;
  CUstream stream_ = nullptr;
  unsigned generation_ = 0;
  bool lost_ = false;     // the context is of no use any more
  bool running_ = false;  // a kernel was still running when finish() gave up
};

// Memory on the GPU and page-locked memory beside it, kept and grown over many uses. Each belongs to a
// context (GpuDevice::generation) and is forgotten with it.

// "64 MiB", "3.2 GiB", "512 bytes".
std::string bytesText(std::uint64_t bytes);

class DeviceMemory {
 public:
  explicit DeviceMemory(GpuDevice& device) : device_(&device) {}
  ~DeviceMemory() { free(); }
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  // Takes at least that many bytes (one even for none), with any content. Call it within a
  // GpuDevice::Entered.
  Result<void> reserve(std::uint64_t bytes);
  CUdeviceptr address() const { return address_; }
  void free();

 private:
  GpuDevice* device_;
  CUdeviceptr address_ = 0;
  std::uint64_t bytes_ = 0;
  unsigned generation_ = 0;
};

// Memory of the host that copies to and from the GPU reach without a detour.
class PinnedMemory {
 public:
  explicit PinnedMemory(GpuDevice& device) : device_(&device) {}
  ~PinnedMemory() { free(); }
  PinnedMemory(const PinnedMemory&) = delete;
  PinnedMemory& operator=(const PinnedMemory&) = delete;

  Result<void> reserve(std::uint64_t bytes);
  std::byte* data() const { return static_cast<std::byte*>(data_); }
  void free();

 private:
  GpuDevice* device_;
  void* data_ = nullptr;
  std::uint64_t bytes_ = 0;
  unsigned generation_ = 0;
};

// A compiled kernel, loaded and ready to launch.

struct CompiledKernel;  // compiler.h

// How a kernel is launched.
struct LaunchSize {
  model::Dim3 grid{};             // blocks
  model::Dim3 block{};            // threads of a block
  std::uint64_t sharedBytes = 0;  // dynamic
  unsigned cluster = 1;           // blocks of a cluster along x; 1: there are none
};

// Enqueues it as it is; the driver's code. `parameters`: a pointer to each.
CUresult enqueueLaunch(const DriverApi& api, CUfunction function, const LaunchSize& size, CUstream stream,
                       void** parameters);

class GpuModule {
 public:
  // Within a GpuDevice::Entered, as everything here. `name`: for the sentences of errors.
  static Result<std::unique_ptr<GpuModule>> load(GpuDevice& device, const CompiledKernel& kernel,
                                                 std::string name);
  ~GpuModule();
  GpuModule(const GpuModule&) = delete;
  GpuModule& operator=(const GpuModule&) = delete;

  // The address of a variable that is `bytes` large.
  Result<CUdeviceptr> variable(const char* symbol, std::size_t bytes);

  // Enqueues one launch on the device's stream. The kernel's arguments are addresses of GPU memory, or
  // numbers: a parameter narrower than 8 bytes takes the low ones.
  Result<void> launch(const LaunchSize& size, std::span<const std::uint64_t> arguments);

  // What launch() does before it launches: refuses shapes beyond CUDA's limits, asks for as much shared
  // memory.
  Result<void> allow(const LaunchSize& size);
  CUfunction function() const { return function_; }

  bool isAlive() const { return device_.isAlive(generation_); }
  std::uint64_t staticSharedBytes() const { return staticSharedBytes_; }
  const std::string& name() const { return name_; }

 private:
  GpuModule(GpuDevice& device, std::string name)
      : device_(device), name_(std::move(name)), generation_(device.generation()) {}

  GpuDevice& device_;
  std::string name_;
  unsigned generation_;
  CUmodule module_ = nullptr;
  CUfunction function_ = nullptr;
  std::uint64_t staticSharedBytes_ = 0;
  std::uint64_t allowedSharedBytes_ = 48 * 1024;  // dynamic and static; more must be asked for (CUDA's rule)
};

// What timing asks of NVIDIA's driver beside what running kernels does, and the time between two events on a
// device's stream.

// A driver without these functions runs everything else.
struct TimingApi {
  template <class Function>
  using Call = LibraryFunction<Function>;

  Call<decltype(&::cuEventCreate)> createEvent{"cuEventCreate"};
  Call<decltype(&::cuEventDestroy)> destroyEvent{"cuEventDestroy"};
  Call<decltype(&::cuEventRecord)> recordEvent{"cuEventRecord"};
  Call<CUresult(CUDAAPI*)(float* milliseconds, CUevent start, CUevent end)> elapsedTime{"cuEventElapsedTime"};
  Call<decltype(&::cuOccupancyMaxActiveBlocksPerMultiprocessor)> residentBlocks{
      "cuOccupancyMaxActiveBlocksPerMultiprocessor"};
  Call<decltype(&::cuMemcpyDtoDAsync)> copyWithin{"cuMemcpyDtoDAsync"};
  Call<decltype(&::cuStreamBeginCapture)> beginCapture{"cuStreamBeginCapture"};
  Call<decltype(&::cuStreamEndCapture)> endCapture{"cuStreamEndCapture"};
  Call<CUresult(CUDAAPI*)(CUgraphExec* executable, CUgraph graph, unsigned long long flags)> instantiateGraph{
      "cuGraphInstantiate"};
  Call<decltype(&::cuGraphLaunch)> launchGraph{"cuGraphLaunch"};
  Call<decltype(&::cuGraphExecDestroy)> destroyExecutable{"cuGraphExecDestroy"};
  Call<decltype(&::cuGraphDestroy)> destroyGraph{"cuGraphDestroy"};
};

Result<TimingApi> loadTimingApi(const DriverApi& driver);

// What several GPUs of one process need beside that.
struct PeerApi {
  LibraryFunction<decltype(&::cuDeviceCanAccessPeer)> canReach{"cuDeviceCanAccessPeer"};
  LibraryFunction<decltype(&::cuCtxEnablePeerAccess)> enableAccess{"cuCtxEnablePeerAccess"};
  LibraryFunction<decltype(&::cuStreamWaitEvent)> waitForEvent{"cuStreamWaitEvent"};
};

Result<PeerApi> loadPeerApi(const DriverApi& driver);

// Two events, made once.
class Stopwatch {
 public:
  // Within a GpuDevice::Entered, as everything here.
  static Result<std::unique_ptr<Stopwatch>> make(GpuDevice& device);
  ~Stopwatch();
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

  // Microseconds from before the first thing that `launches` enqueues to behind the last, which has ended
  // when this returns. `limit`: for it to end.
  Result<double> timed(const std::function<Result<void>()>& launches, std::chrono::milliseconds limit);

 private:
  Stopwatch(GpuDevice& device, TimingApi api) : device_(device), api_(std::move(api)) {}

  GpuDevice& device_;
  TimingApi api_;
  CUevent begin_ = nullptr, end_ = nullptr;
};

}  // namespace stridescope::engine::gpu
