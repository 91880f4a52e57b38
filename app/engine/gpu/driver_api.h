// CUDA's driver API, opened at run time: a table of its functions, and what its failures mean.
#pragma once

#include <cuda.h>

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "engine/gpu/shared_library.h"
#include "engine/library_call.h"

namespace stridescope::engine::gpu {

// cuda.h maps many names to versioned ones (cuMemAlloc is cuMemAlloc_v2). The list is expanded after that, so
// members, types and the names looked up are the versioned ones, and a call is written as in NVIDIA's manual.
#define STRIDESCOPE_DRIVER_FUNCTIONS(use)                                                                   \
  use(cuInit) use(cuDriverGetVersion) use(cuGetErrorName) use(cuGetErrorString) use(cuDeviceGetCount)       \
      use(cuDeviceGet) use(cuDeviceGetName) use(cuDeviceGetAttribute) use(cuDeviceTotalMem)                 \
          use(cuDevicePrimaryCtxRetain) use(cuDevicePrimaryCtxRelease) use(cuDevicePrimaryCtxReset)         \
              use(cuCtxDestroy) use(cuCtxPushCurrent) use(cuCtxPopCurrent) use(cuStreamCreate)              \
                  use(cuStreamDestroy) use(cuStreamQuery) use(cuStreamSynchronize) use(cuModuleLoadData)    \
                      use(cuModuleUnload) use(cuModuleGetFunction) use(cuModuleGetGlobal)                   \
                          use(cuFuncGetAttribute) use(cuFuncSetAttribute) use(cuMemGetInfo) use(cuMemAlloc) \
                              use(cuMemFree) use(cuMemAllocHost) use(cuMemFreeHost) use(cuMemcpyHtoDAsync)  \
                                  use(cuMemcpyDtoHAsync) use(cuMemsetD8Async) use(cuMemsetD32Async)         \
                                      use(cuLaunchKernel)

#define STRIDESCOPE_TEXT_OF(name) #name
#define STRIDESCOPE_DECLARE_FUNCTION(name) LibraryFunction<decltype(&::name)> name{STRIDESCOPE_TEXT_OF(name)};
struct DriverApi {
  std::shared_ptr<SharedLibrary> library;
  // cuda.h 13 knows only newer forms of it, which older drivers do not have.
  LibraryFunction<CUresult(CUDAAPI*)(CUcontext* context, unsigned flags, CUdevice device)> createContext{
      "cuCtxCreate"};
  // Drivers before CUDA 11.8 do not have it; null there.
  LibraryFunction<decltype(&::cuLaunchKernelEx)> launchInClusters{"cuLaunchKernelEx"};
  int version = 0;  // the newest CUDA the driver runs: 13000 for 13.0
  STRIDESCOPE_DRIVER_FUNCTIONS(STRIDESCOPE_DECLARE_FUNCTION)
};
#undef STRIDESCOPE_DECLARE_FUNCTION
#undef STRIDESCOPE_TEXT_OF

// Opens the driver (shared_library.h), looks its functions up and starts it (cuInit).
Result<std::shared_ptr<const DriverApi>> loadDriver(const std::string& given);

// "13.0" for 13000.
std::string cudaVersionText(int version);

// The driver's release, "580.159.03", as its kernel module or NVML tells it; empty if neither does.
std::string installedDriverRelease();

// The one way from a driver's code to a person: the sentence says what was being done ("allocate 64 MiB of
// GPU memory"), the driver's reason, and what helps; the details name the call and the code.
Error driverError(const DriverApi& api, CUresult code, std::string_view call, std::string_view doing);

// After such a code the context is gone: every further call in it fails the same way.
bool losesContext(CUresult code);

}  // namespace stridescope::engine::gpu
