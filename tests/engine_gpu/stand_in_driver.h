// A stand-in for NVIDIA's driver: the entry points that the GPU engine uses, in the host's memory. It runs no
// kernel; a test tells it which call fails, what GPUs there are, and what a launch leaves behind. One
// library, one state: a test resets it first.
//
// A program that finds it as its libcuda.so.1 says by variables of the environment what is to happen:
//   STRIDESCOPE_STAND_IN_FAULT=KIND:K  at the process's K-th call, from 0 over all entry points: fail, crash,
//                                      exit, hang
//   STRIDESCOPE_STAND_IN_REFUSES_LAUNCHES=1  no kernel is launched, and the launch says so
//   STRIDESCOPE_STAND_IN_LOG=FILE      gets a line of each process that loads it, and of each fault
#pragma once

#include <cstdint>

#include "recording/gpu_control.h"

namespace stridescope::engine::gpu {

// What a launch does instead of the kernel; `arguments` are as cuLaunchKernel was given them: a pointer to
// each.
struct StandInLaunch {
  std::uint64_t grid = 1;  // all blocks
  unsigned threads = 1;    // all of a block
  unsigned sharedBytes = 0;
  void* const* arguments = nullptr;
  unsigned gridShape[3] = {1, 1, 1}, blockShape[3] = {1, 1, 1};  // x, y, z
};
using StandInKernel = void (*)(recording::GpuControl& control, const StandInLaunch& launch);

struct StandInState {
  int driverVersion = 13000;
  int devices = 1;
  int computeCapability = 90;
  int computeMode = 0;
  int unreachable = -1;  // the device whose memory no other one can use; -1: there is none
  StandInKernel kernel = nullptr;
  bool endless = false;               // a launch never ends
  int staticSharedBytes = 32 * 1024;  // every kernel's: as much as any of the emulated ones has, or more
  // What is left of what the program made.
  int contexts = 0, streams = 0, modules = 0, allocations = 0, pinned = 0;
  int torn = 0;  // contexts destroyed or reset
  int launches = 0;
};

}  // namespace stridescope::engine::gpu

// The library's own entry points, beside the driver's.
extern "C" {
// To be changed at will.
stridescope::engine::gpu::StandInState* standInState();
// Back to a good driver with one GPU.
void standInReset();
// The next `times` calls of that name ("cuMemAlloc_v2") give the code; after a code of a failed kernel every
// call does until the context is reset, as on a GPU.
void standInFail(const char* call, int code, int times);
}
