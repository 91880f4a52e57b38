// NVIDIA's Sanitizer API, opened at run time: a table of its functions. Declared here anew, because the
// headers are not with every toolkit; the manual is docs.nvidia.com/compute-sanitizer, Sanitizer API.
#pragma once

#include <cuda.h>

#include <cstdint>
#include <memory>

#include "base/result.h"
#include "engine/gpu/shared_library.h"
#include "engine/library_call.h"

namespace stridescope::engine::access::gpu {

// The instructions that can be patched, by the API's numbers.
enum class Instruction : int {
  BlockEnter = 1,
  BlockExit = 2,
  GlobalAccess = 3,
  SharedAccess = 4,
  Barrier = 6,
  WarpBarrier = 7,
  Shuffle = 8,
  ArrivalBarrier = 13,
  AsyncCopy = 14,
  RemoteSharedAccess = 17,
  ClusterBarrierArrival = 21,
  AsyncStore = 26,
  BarrierRelease = 29,
  BulkCopyToShared = 30,
  WarpBarrierRelease = 33,
  BulkCopyToGlobal = 35,
  BulkCopyBetweenBlocks = 36,
  BulkReductionToGlobal = 37,
};

struct SanitizerApi {
  using Answer = int;  // 0: success
  using Callback = void (*)(void* given, int domain, std::uint32_t id, const void* data);

  std::shared_ptr<engine::gpu::SharedLibrary> library;
  LibraryFunction<Answer (*)(void** subscriber, Callback callback, void* given)> subscribe{
      "sanitizerSubscribe"};
  LibraryFunction<Answer (*)(const void* image, CUcontext context)> addPatches{"sanitizerAddPatches"};
  LibraryFunction<Answer (*)(int instruction, CUmodule module, const char* patch)> patchInstructions{
      "sanitizerPatchInstructions"};
  LibraryFunction<Answer (*)(CUmodule module)> patchModule{"sanitizerPatchModule"};
  LibraryFunction<Answer (*)(CUfunction kernel, const void* given)> setCallbackData{
      "sanitizerSetCallbackData"};
  LibraryFunction<Answer (*)(CUmodule module, const char* function, std::uint64_t* pc, std::uint64_t* size)>
      functionPcAndSize{"sanitizerGetFunctionPcAndSize"};
  LibraryFunction<Answer (*)(Answer code, const char** text)> resultString{"sanitizerGetResultString"};

  // Success, or what could not be done, in a sentence.
  Result<void> check(Answer code, std::string_view call) const;
};

// Opens it and subscribes: before this process's first call of the driver. The subscription ends with the
// process, which has one. Errors: Unavailable where it is not installed or does not fit the driver.
Result<std::shared_ptr<const SanitizerApi>> subscribeToSanitizer();

}  // namespace stridescope::engine::access::gpu
