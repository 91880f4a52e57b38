#include "stand_in_driver.h"

#include <cuda.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <set>
#include <string>

namespace {

using stridescope::engine::gpu::StandInState;

constexpr const char* kDeviceName = "Stand-in GPU";
constexpr int kMemory = 1 << 30;

struct Failure {
  int code = 0, times = 0;
};

StandInState state;
std::map<std::string, Failure> failures;
int lostTo = 0;  // the code that the context was lost to
recording::GpuControl control;
std::set<void*> memory;  // the context's, on the device and pinned

void* allocate(std::size_t bytes) { return *memory.insert(std::calloc(1, bytes)).first; }
void release(void* pointer) {
  memory.erase(pointer);
  std::free(pointer);
}

// ---- What the environment asks for (stand_in_driver.h).

struct Fault {
  std::string kind;  // empty: none
  long atCall = 0;
};

Fault askedFault() {
  const char* const text = std::getenv("STRIDESCOPE_STAND_IN_FAULT");
  const char* const colon = text == nullptr ? nullptr : std::strchr(text, ':');
  if (colon == nullptr) return {};
  return {std::string(text, colon), std::strtol(colon + 1, nullptr, 10)};
}

void note(const std::string& line) {
  const char* const file = std::getenv("STRIDESCOPE_STAND_IN_LOG");
  if (file == nullptr) return;
  std::ifstream words("/proc/self/cmdline");
  std::string program, command;
  std::getline(words, program, '\0');
  std::getline(words, command, '\0');
  if (std::FILE* const log = std::fopen(file, "a")) {
    std::fprintf(log, "%s %s\n", command.empty() ? "(window)" : command.c_str(), line.c_str());
    std::fclose(log);
  }
}

const struct Loaded {
  Loaded() { note("loaded"); }
} loaded;

// Counts the call; at the one that was asked for it crashes, exits or hangs. True: the call is to fail.
bool failsNow(const char* call) {
  static const Fault fault = askedFault();
  static long calls = 0;
  if (fault.kind.empty() || calls++ != fault.atCall) return false;
  note(fault.kind + " " + call);
  if (fault.kind == "crash") {
    std::signal(SIGSEGV, SIG_DFL);  // a sanitizer would make an exit code of it
    std::raise(SIGSEGV);
  }
  if (fault.kind == "exit") std::exit(5);
  while (fault.kind == "hang") ::pause();
  return true;
}

// Handles: any address will do.
char contextHandle, streamHandle, moduleHandle, functionHandle, eventHandle, graphHandle;

bool losesContext(int code) { return code >= CUDA_ERROR_ILLEGAL_ADDRESS && code <= CUDA_ERROR_LAUNCH_FAILED; }

// What the call of that name gives: success, or the failure that a test asked for.
CUresult outcome(const char* call, bool usesContext = true) {
  if (failsNow(call)) return CUDA_ERROR_UNKNOWN;
  if (usesContext && lostTo != 0) return static_cast<CUresult>(lostTo);
  const auto failure = failures.find(call);
  if (failure == failures.end() || failure->second.times == 0) return CUDA_SUCCESS;
  --failure->second.times;
  if (losesContext(failure->second.code)) lostTo = failure->second.code;
  return static_cast<CUresult>(failure->second.code);
}

// What is left in a context goes with it.
void forgetContext() {
  lostTo = 0;
  ++state.torn;
  for (void* pointer : memory) std::free(pointer);
  memory.clear();
  state.streams = state.modules = state.allocations = state.pinned = 0;
}

template <class Effect>
CUresult answer(const char* call, Effect effect, bool usesContext = true) {
  const CUresult code = outcome(call, usesContext);
  if (code == CUDA_SUCCESS) effect();
  return code;
}

void* pointerTo(CUdeviceptr address) { return reinterpret_cast<void*>(static_cast<std::uintptr_t>(address)); }
CUdeviceptr addressOf(void* pointer) {
  return static_cast<CUdeviceptr>(reinterpret_cast<std::uintptr_t>(pointer));
}

}  // namespace

extern "C" {

StandInState* standInState() { return &state; }

void standInReset() {
  state = {};
  failures.clear();
  lostTo = 0;
}

void standInFail(const char* call, int code, int times) { failures[call] = {code, times}; }

// cuda.h turns most of these names into versioned ones; #call below is expanded the same way.
#define TEXT_OF(call) #call
#define ANSWER(call, effect) return answer(TEXT_OF(call), [&] { effect; })
#define ANSWER_WITHOUT_CONTEXT(call, effect) \
  return answer(                             \
      TEXT_OF(call), [&] { effect; }, false)

CUresult cuInit(unsigned) {
  if (const CUresult code = outcome("cuInit", false); code != CUDA_SUCCESS) return code;
  return state.devices > 0 ? CUDA_SUCCESS : CUDA_ERROR_NO_DEVICE;
}
CUresult cuDriverGetVersion(int* version) {
  ANSWER_WITHOUT_CONTEXT(cuDriverGetVersion, *version = state.driverVersion);
}
CUresult cuGetErrorName(CUresult code, const char** text) {
  *text = code == CUDA_ERROR_OUT_OF_MEMORY ? "CUDA_ERROR_OUT_OF_MEMORY" : "CUDA_ERROR_OF_THE_STAND_IN";
  return CUDA_SUCCESS;
}
CUresult cuGetErrorString(CUresult code, const char** text) {
  *text = code == CUDA_ERROR_OUT_OF_MEMORY ? "out of memory" : "a failure of the stand-in";
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetCount(int* count) { ANSWER_WITHOUT_CONTEXT(cuDeviceGetCount, *count = state.devices); }
CUresult cuDeviceGet(CUdevice* device, int index) { ANSWER_WITHOUT_CONTEXT(cuDeviceGet, *device = index); }
CUresult cuDeviceGetName(char* name, int length, CUdevice) {
  ANSWER_WITHOUT_CONTEXT(cuDeviceGetName, std::strncpy(name, kDeviceName, static_cast<std::size_t>(length)));
}
CUresult cuDeviceTotalMem(std::size_t* bytes, CUdevice) {
  ANSWER_WITHOUT_CONTEXT(cuDeviceTotalMem, *bytes = kMemory);
}
CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute which, CUdevice) {
  const CUresult code = outcome("cuDeviceGetAttribute", false);
  *value = which == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR   ? state.computeCapability / 10
           : which == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR ? state.computeCapability % 10
           : which == CU_DEVICE_ATTRIBUTE_COMPUTE_MODE             ? state.computeMode
                                                                   : 8;
  return code;
}

CUresult cuCtxCreate_v2(CUcontext* context, unsigned, CUdevice) {
  ANSWER(cuCtxCreate_v2, *context = reinterpret_cast<CUcontext>(&contextHandle); ++state.contexts);
}
CUresult cuCtxDestroy(CUcontext) {
  if (failsNow("cuCtxDestroy")) return CUDA_ERROR_UNKNOWN;
  --state.contexts;
  forgetContext();
  return CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice) {
  ANSWER(cuDevicePrimaryCtxRetain, *context = reinterpret_cast<CUcontext>(&contextHandle); ++state.contexts);
}
CUresult cuDevicePrimaryCtxRelease(CUdevice) {
  if (failsNow("cuDevicePrimaryCtxRelease")) return CUDA_ERROR_UNKNOWN;
  --state.contexts;
  return CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxReset(CUdevice) {
  if (failsNow("cuDevicePrimaryCtxReset")) return CUDA_ERROR_UNKNOWN;
  forgetContext();
  return CUDA_SUCCESS;
}
CUresult cuCtxPushCurrent(CUcontext) { ANSWER(cuCtxPushCurrent, ); }
CUresult cuCtxPopCurrent(CUcontext*) { ANSWER(cuCtxPopCurrent, ); }
CUresult cuStreamCreate(CUstream* stream, unsigned) {
  ANSWER(cuStreamCreate, *stream = reinterpret_cast<CUstream>(&streamHandle); ++state.streams);
}
CUresult cuStreamDestroy(CUstream) { ANSWER(cuStreamDestroy, --state.streams); }
CUresult cuStreamQuery(CUstream) {
  const CUresult code = outcome("cuStreamQuery");
  return code == CUDA_SUCCESS && state.endless && state.launches > 0 ? CUDA_ERROR_NOT_READY : code;
}
CUresult cuStreamSynchronize(CUstream) { ANSWER(cuStreamSynchronize, ); }

CUresult cuModuleLoadData(CUmodule* module, const void*) {
  ANSWER(cuModuleLoadData, *module = reinterpret_cast<CUmodule>(&moduleHandle); ++state.modules);
}
CUresult cuModuleUnload(CUmodule) { ANSWER(cuModuleUnload, --state.modules); }
CUresult cuModuleGetFunction(CUfunction* function, CUmodule, const char*) {
  ANSWER(cuModuleGetFunction, *function = reinterpret_cast<CUfunction>(&functionHandle));
}
CUresult cuModuleGetGlobal(CUdeviceptr* address, std::size_t* bytes, CUmodule, const char*) {
  ANSWER(cuModuleGetGlobal, *address = addressOf(&control); *bytes = sizeof control);
}
CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction) {
  const bool isShared = attribute == CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES;
  ANSWER(cuFuncGetAttribute, *value = isShared ? state.staticSharedBytes : 0);
}
CUresult cuFuncSetAttribute(CUfunction, CUfunction_attribute, int) { ANSWER(cuFuncSetAttribute, ); }

CUresult cuMemGetInfo(std::size_t* free, std::size_t* total) {
  ANSWER(cuMemGetInfo, *free = *total = kMemory);
}
CUresult cuMemAlloc(CUdeviceptr* address, std::size_t bytes) {
  ANSWER(cuMemAlloc, *address = addressOf(allocate(bytes)); ++state.allocations);
}
CUresult cuMemFree(CUdeviceptr address) {
  ANSWER(cuMemFree, release(pointerTo(address)); --state.allocations);
}
CUresult cuMemAllocHost(void** pointer, std::size_t bytes) {
  ANSWER(cuMemAllocHost, *pointer = allocate(bytes); ++state.pinned);
}
CUresult cuMemFreeHost(void* pointer) { ANSWER(cuMemFreeHost, release(pointer); --state.pinned); }
CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void* from, std::size_t bytes, CUstream) {
  ANSWER(cuMemcpyHtoDAsync, std::memcpy(pointerTo(to), from, bytes));
}
CUresult cuMemcpyDtoHAsync(void* to, CUdeviceptr from, std::size_t bytes, CUstream) {
  ANSWER(cuMemcpyDtoHAsync, std::memcpy(to, pointerTo(from), bytes));
}
CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, std::size_t bytes, CUstream) {
  ANSWER(cuMemsetD8Async, std::memset(pointerTo(to), value, bytes));
}
CUresult cuMemsetD32Async(CUdeviceptr to, unsigned value, std::size_t count, CUstream) {
  ANSWER(cuMemsetD32Async, std::fill_n(static_cast<unsigned*>(pointerTo(to)), count, value));
}

CUresult cuLaunchKernel(CUfunction, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX,
                        unsigned blockY, unsigned blockZ, unsigned sharedBytes, CUstream, void** parameters,
                        void**) {
  const CUresult code = outcome("cuLaunchKernel");
  if (code != CUDA_SUCCESS) return code;
  ++state.launches;
  static const bool refuses = [] {
    const char* const asked = std::getenv("STRIDESCOPE_STAND_IN_REFUSES_LAUNCHES");
    return asked != nullptr && *asked != '\0';
  }();
  if (refuses) return CUDA_ERROR_LAUNCH_FAILED;
  if (state.kernel == nullptr) return CUDA_SUCCESS;
  state.kernel(control, {std::uint64_t(gridX) * gridY * gridZ,
                         blockX * blockY * blockZ,
                         sharedBytes,
                         parameters,
                         {gridX, gridY, gridZ},
                         {blockX, blockY, blockZ}});
  return CUDA_SUCCESS;
}

// NVRTC asks for it where it finds this library as libcuda.so.1, and does without the table.
CUresult cuGetExportTable(const void**, const CUuuid*) {
  return failsNow("cuGetExportTable") ? CUDA_ERROR_UNKNOWN : CUDA_ERROR_NOT_FOUND;
}

// ---- What timing asks for besides: its events stand still, and its graphs run nothing.

CUresult cuEventCreate(CUevent* event, unsigned) {
  ANSWER(cuEventCreate, *event = reinterpret_cast<CUevent>(&eventHandle));
}
CUresult cuEventDestroy(CUevent) { ANSWER(cuEventDestroy, ); }
CUresult cuEventRecord(CUevent, CUstream) { ANSWER(cuEventRecord, ); }
CUresult cuEventElapsedTime(float* milliseconds, CUevent, CUevent) {
  ANSWER(cuEventElapsedTime, *milliseconds = 0.01f);
}
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction, int, std::size_t) {
  ANSWER(cuOccupancyMaxActiveBlocksPerMultiprocessor, *blocks = 8);
}
CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream) {
  ANSWER(cuMemcpyDtoDAsync, std::memcpy(pointerTo(to), pointerTo(from), bytes));
}
CUresult cuStreamBeginCapture(CUstream, CUstreamCaptureMode) { ANSWER(cuStreamBeginCapture, ); }
CUresult cuStreamEndCapture(CUstream, CUgraph* graph) {
  ANSWER(cuStreamEndCapture, *graph = reinterpret_cast<CUgraph>(&graphHandle));
}
CUresult cuGraphInstantiateWithFlags(CUgraphExec* executable, CUgraph, unsigned long long) {
  ANSWER(cuGraphInstantiateWithFlags, *executable = reinterpret_cast<CUgraphExec>(&graphHandle));
}
CUresult cuGraphLaunch(CUgraphExec, CUstream) { ANSWER(cuGraphLaunch, ); }
CUresult cuGraphExecDestroy(CUgraphExec) { ANSWER(cuGraphExecDestroy, ); }
CUresult cuGraphDestroy(CUgraph) { ANSWER(cuGraphDestroy, ); }
CUresult cuDeviceGetPCIBusId(char* text, int length, CUdevice) {
  ANSWER_WITHOUT_CONTEXT(cuDeviceGetPCIBusId,
                         std::strncpy(text, "0000:01:00.0", static_cast<std::size_t>(length)));
}

// ---- What several GPUs ask for besides.

CUresult cuDeviceCanAccessPeer(int* can, CUdevice, CUdevice peer) {
  ANSWER_WITHOUT_CONTEXT(cuDeviceCanAccessPeer, *can = peer != state.unreachable);
}
CUresult cuCtxEnablePeerAccess(CUcontext, unsigned) { ANSWER(cuCtxEnablePeerAccess, ); }
CUresult cuStreamWaitEvent(CUstream, CUevent, unsigned) { ANSWER(cuStreamWaitEvent, ); }

}  // extern "C"
