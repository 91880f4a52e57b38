// One GPU: what it is, its context and stream, and the check that every driver call goes through.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "engine/gpu/driver_api.h"

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

}  // namespace stridescope::engine::gpu
