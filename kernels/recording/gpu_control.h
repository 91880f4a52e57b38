// What the host tells a recording kernel before a launch, and what the kernel tells back: the layout of the
// module's one symbol, recording_control. Compiled by the program and by NVRTC: built-in types only, and the
// same size in both.
#pragma once

#include "recording/event.h"

namespace recording {

// One __shared__ array, announced by the threads of the inspected block where it is declared.
struct SharedRange {
  U64 bytes = 0;  // 0: never declared
  U32 base = 0;   // address in the block's shared memory
  U32 elementBytes = 0;
};

// One buffer in device memory that the kernel was given.
struct BufferRange {
  U64 base = 0;
  U64 bytes = 0;
};

enum class GpuReportKind : U32 {
  OutOfBounds,       // value: the address, in shared memory counted from its start
  UndefinedShuffle,  // value: the source lane
  EventLimit,        // the thread's log was full; it was stopped
  SnapshotLimit,     // more block barriers than there are slots
  TimeLimit,         // the launch took too long; the thread, of another block than the inspected, was stopped
};

struct GpuReport {
  GpuReportKind kind{};
  U32 site = 0;
  U32 thread = 0;
  U32 unused = 0;
  U64 value = 0;
};
constexpr U32 kMaxGpuReports = 64;  // further ones are counted only

// A slot holds the shared arrays in order of their numbers, each beginning at a multiple of this.
constexpr U32 kSlotAlignment = 16;
constexpr U64 slotBytesOf(U64 arrayBytes) {
  return (arrayBytes + kSlotAlignment - 1) / kSlotAlignment * kSlotAlignment;
}

struct GpuControl {
  // Set by the host.
  Event* events = nullptr;  // event k of thread t: events[k * threads of the block + t]
  U32* counts = nullptr;    // of each thread: events logged; one more than the limit: cut there
  U32* barriers = nullptr;  // of each thread: block barriers passed
  U32* tickets = nullptr;   // of each slot: threads that copy into it; one more for barriers beyond the last
  U8* slots = nullptr;      // of each block barrier: a copy of the shared arrays
  U64 slotBytes = 0;
  U64 inspectedBlock = 0;
  U64 timeLimit = 0;  // nanoseconds, from the first branch that a block other than the inspected one takes
  U32 eventLimit = 0;
  U32 slotLimit = 0;
  BufferRange buffers[kMaxBuffers];
  // Set by the kernel; zero before the launch.
  U64 startTime = 0;  // of the GPU's global timer
  U32 reportCount = 0;
  U32 stoppedThreads = 0;  // by the time limit
  SharedRange shared[kMaxSharedArrays];
  GpuReport reports[kMaxGpuReports];
};
static_assert(sizeof(GpuControl) == 72 + 16 * kMaxBuffers + 16 + 16 * kMaxSharedArrays + 24 * kMaxGpuReports,
              "the control block's layout is shared by host and device");

}  // namespace recording
