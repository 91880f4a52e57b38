// The recording runtime's GPU half: core.h's hooks on a real device. Compiled by NVRTC for device code, one
// program a module.
//
// Each thread of the inspected block owns a column of the log, so that appending needs no atomic operation
// and neighbouring lanes write neighbouring memory. The other blocks run through without recording. The
// kernel's signature and its shared memory stay as they were: all that the recorder needs hangs on
// recording_control.
#pragma once

// The compiler wants the order and the scope as constants.
#define RECORDING_ATOMIC_LOAD(site, pointer, order, scope) \
  recording::recordedLook(site, pointer, [](auto* place) { return __nv_atomic_load_n(place, order, scope); })
#define RECORDING_ATOMIC_STORE(site, pointer, value, order, scope) \
  recording::recordedSend(site, pointer, value,                    \
                          [](auto* place, auto sent) { __nv_atomic_store_n(place, sent, order, scope); })
#define RECORDING_ATOMIC_FETCH_ADD(site, pointer, operand, order, scope)         \
  recording::recordedFetch(site, pointer, operand, [](auto* place, auto added) { \
    return __nv_atomic_fetch_add(place, added, order, scope);                    \
  })

#include "recording/core.h"
#include "recording/gpu_control.h"
#include "recording/gpu_machine.h"

// Set by the host before each launch. Outside the namespaces, so that its name in the module is its name
// here.
extern "C" __device__ recording::GpuControl recording_control;
__device__ recording::GpuControl recording_control;

namespace recording {

// What stands at every access of a kernel is one call, not its body: a third less for NVRTC to compile, and
// registers to spare for blocks of 1024 threads. The bodies ask first whether their block is the inspected
// one.
#define RECORDING_OUT_OF_LINE static __device__ __noinline__

RECORDING_FUNCTION U32 threadInBlock() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
RECORDING_FUNCTION U32 threadsOfBlock() { return blockDim.x * blockDim.y * blockDim.z; }
RECORDING_FUNCTION bool isInspected() {
  const U64 block = blockIdx.x + U64(gridDim.x) * (blockIdx.y + U64(gridDim.y) * blockIdx.z);
  return block == recording_control.inspectedBlock;
}
RECORDING_FUNCTION U32 currentLane() { return threadInBlock() % 32; }

// ---- Reports.

RECORDING_OUT_OF_LINE void report(GpuReportKind kind, U32 site, U64 value) {
  const U32 index = ::atomicAdd(&recording_control.reportCount, 1u);
  if (index < kMaxGpuReports) recording_control.reports[index] = {kind, site, threadInBlock(), 0, value};
}

RECORDING_OUT_OF_LINE void stopAfterTimeLimit(U32 site) {
  const U64 now = globalTime();
  U64 start = recording_control.startTime;
  if (start == 0) start = ::atomicCAS(&recording_control.startTime, U64(0), now);
  if (start == 0 || now < start || now - start < recording_control.timeLimit) return;
  ::atomicAdd(&recording_control.stoppedThreads, 1u);
  report(GpuReportKind::TimeLimit, site, 0);
  stopThread();
}

// ---- The log.

RECORDING_FUNCTION ulonglong2* column(U32 event) {  // 16 bytes at once
  return reinterpret_cast<ulonglong2*>(recording_control.events) + U64(event) * threadsOfBlock() +
         threadInBlock();
}

RECORDING_OUT_OF_LINE void append(U64 head, U64 value) {
  const Event event{head, value};
  if (!isInspected()) {
    if (event.kind() == EventKind::Branch && value != 0) stopAfterTimeLimit(event.site());
    return;
  }
  U32* const count = recording_control.counts + threadInBlock();
  const U32 index = *count;
  *count = index + 1;  // one past the limit: the log was cut
  if (index >= recording_control.eventLimit) {
    report(GpuReportKind::EventLimit, event.site(), 0);
    stopThread();
  }
  *column(index) = make_ulonglong2(head, value);
}

RECORDING_FUNCTION void record(U64 head, U64 value) { append(head, value); }

// ---- Addresses.

RECORDING_FUNCTION bool liesIn(U64 offset, U32 bytes, U64 rangeBytes) {
  return offset < rangeBytes && bytes <= rangeBytes - offset;
}

RECORDING_FUNCTION const volatile void* sharedAt(U32 base) { return __cvta_shared_to_generic(base); }

#if __CUDA_ARCH__ >= 900  // clusters came with compute capability 9.0
// An access to another block's shared memory is no event of this block: it is noted beside them.
RECORDING_OUT_OF_LINE void noteRemote(U32 site, const void* pointer, U32 bytes) {
  const U32 rank = __cluster_query_shared_rank(pointer);
  for (U32 array = 0; array < kMaxSharedArrays; ++array) {  // all blocks have them at the same places
    const SharedRange& range = recording_control.shared[array];
    if (range.bytes == 0) continue;
    const void* const base = const_cast<const void*>(sharedAt(range.base));
    const U64 offset =
        reinterpret_cast<U64>(pointer) - reinterpret_cast<U64>(__cluster_map_shared_rank(base, rank));
    if (!liesIn(offset, bytes, range.bytes)) continue;
    append(eventHead(offset, site, EventKind::Remote, kSharedSpace + array, 31 - __clz(bytes)), rank);
    return;
  }
  report(GpuReportKind::OutOfBounds, site, reinterpret_cast<U64>(pointer));
}
#endif

RECORDING_OUT_OF_LINE Place placeOf(U32 site, const void* pointer, U32 bytes) {
  if (!isInspected()) return {};
  const bool shared = __isShared(pointer) != 0;
#if __CUDA_ARCH__ >= 900
  if (!shared && __isClusterShared(pointer) != 0) {
    noteRemote(site, pointer, bytes);
    return {};
  }
#endif
  if (!shared && __isGlobal(pointer) == 0) return {};  // a local array
  U64 address = reinterpret_cast<U64>(pointer);
  if (shared) {
    address = __cvta_generic_to_shared(pointer);
    for (U32 array = 0; array < kMaxSharedArrays; ++array) {
      const SharedRange& range = recording_control.shared[array];
      if (liesIn(address - range.base, bytes, range.bytes))
        return placeAt(kSharedSpace + array, address - range.base);
    }
  } else {
    for (U32 buffer = 0; buffer < kMaxBuffers; ++buffer) {
      const BufferRange& range = recording_control.buffers[buffer];
      if (liesIn(address - range.base, bytes, range.bytes))
        return placeAt(kGlobalSpace + buffer, address - range.base);
    }
  }
  report(GpuReportKind::OutOfBounds, site, address);
  return {0, false};
}

// The hardware itself faults at an address that is not aligned.
RECORDING_FUNCTION Place locate(U32 site, const volatile void* pointer, U32 bytes, U32) {
  return placeOf(site, const_cast<const void*>(pointer), bytes);
}

// The address of an access that was logged, as a generic one.
RECORDING_FUNCTION U64 addressOf(const Event& access) {
  if (access.inGlobal()) return recording_control.buffers[access.buffer()].base + access.offset();
  const U32 address = recording_control.shared[access.sharedArray()].base + U32(access.offset());
  return reinterpret_cast<U64>(__cvta_shared_to_generic(address));
}

RECORDING_OUT_OF_LINE void takeLookBack(U32 site, const volatile void* pointer, U32 bytes) {
  if (!isInspected()) return;
  U32* const count = recording_control.counts + threadInBlock();
  const U32 logged = *count;
  for (U32 back = 1; back <= logged && back <= kMaxEventsOfALook + 1; ++back) {
    const ulonglong2 words = *column(logged - back);
    const Event event{words.x, words.y};
    if (event.kind() == EventKind::Branch || event.kind() == EventKind::Value) continue;
    const bool isLook = event.kind() == EventKind::Load && event.site() == site && event.width() == bytes &&
                        event.space() != kNoSpace && addressOf(event) == reinterpret_cast<U64>(pointer);
    if (!isLook) return;
    *count = logged - back;
    stopAfterTimeLimit(site);  // events no longer tell how long this goes on
    return;
  }
}

RECORDING_FUNCTION void lookAgain(U32 site, const volatile void* pointer, U32 bytes) {
  takeLookBack(site, pointer, bytes);
}

RECORDING_FUNCTION void betweenReadAndWrite(U32) {}
RECORDING_FUNCTION void noteVolatile(const volatile void*, U32, bool) {}

// All threads write the same values; each reads what it wrote itself.
RECORDING_OUT_OF_LINE void announceShared(U32 array, const volatile void* pointer, U64 bytes,
                                          U32 elementBytes) {
  if (!isInspected()) return;
  recording_control.shared[array] = {
      bytes, static_cast<U32>(__cvta_generic_to_shared(const_cast<const void*>(pointer))), elementBytes};
}

// ---- Block barriers: one to arrive, one after copying, so that nobody writes in between.

RECORDING_FUNCTION void copyArray(const SharedRange& range, U8* target, U32 rank, U32 copiers) {
  const U32 words = range.base % 4 == 0 ? U32(range.bytes / 4) : 0;
  const volatile U32* const source = static_cast<const volatile U32*>(sharedAt(range.base));
  for (U32 word = rank; word < words; word += copiers) reinterpret_cast<U32*>(target)[word] = source[word];
  const volatile U8* const bytes = static_cast<const volatile U8*>(sharedAt(range.base));
  for (U32 byte = words * 4 + rank; byte < range.bytes; byte += copiers) target[byte] = bytes[byte];
}

RECORDING_OUT_OF_LINE void copySharedMemory(U32 site) {
  // Threads that have returned do not arrive. The others are ranked by a ticket each, so that every word
  // finds a copier however many there are.
  if (!isInspected()) {
    __syncthreads();
    return;
  }
  const U32 copiers = static_cast<U32>(__syncthreads_count(1));
  U32* const passed = recording_control.barriers + threadInBlock();
  const U32 slot = *passed;
  *passed = slot + 1;
  const U32 slots = recording_control.slotLimit;
  const U32 rank = ::atomicAdd(&recording_control.tickets[slot < slots ? slot : slots], 1u);
  if (slot < slots) {
    U8* target = recording_control.slots + slot * recording_control.slotBytes;
    for (U32 array = 0; array < kMaxSharedArrays; ++array) {
      const SharedRange range = recording_control.shared[array];
      copyArray(range, target, rank, copiers);
      target += slotBytesOf(range.bytes);
    }
  } else if (rank == 0) {
    report(GpuReportKind::SnapshotLimit, site, slot);
  }
  __syncthreads();
}

RECORDING_FUNCTION void blockBarrier(U32 site) { copySharedMemory(site); }

RECORDING_FUNCTION void waitForCluster() {
#if __CUDA_ARCH__ >= 900
  asm volatile("barrier.cluster.arrive;\nbarrier.cluster.wait;" ::: "memory");
#endif
}

// The blocks meet once more, so that none of them stores into the shared memory that is being copied.
RECORDING_FUNCTION void clusterBarrier(U32 site) {
  waitForCluster();
  if (isInspected()) copySharedMemory(site);
  waitForCluster();
}

template <BarrierVote kind>
RECORDING_FUNCTION int blockBarrierVote(U32 site, bool predicate) {
  int result = 0;
  if constexpr (kind == BarrierVote::Count) result = __syncthreads_count(predicate);
  if constexpr (kind == BarrierVote::And) result = __syncthreads_and(predicate);
  if constexpr (kind == BarrierVote::Or) result = __syncthreads_or(predicate);
  if (isInspected()) copySharedMemory(site);
  return result;
}

// ---- Warp barriers: each lane copies what it touched itself since its last barrier. It reads that off its
// own log, which ends with the event of this barrier.

RECORDING_FUNCTION U64 sharedBits(const Event& access) {
  const U32 address = recording_control.shared[access.sharedArray()].base + U32(access.offset());
  const volatile void* const source = sharedAt(address);
  switch (access.width()) {
    case 1:
      return *static_cast<const volatile U8*>(source);
    case 2:
      return *static_cast<const volatile U16*>(source);
    case 4:
      return *static_cast<const volatile U32*>(source);
    default:
      return *static_cast<const volatile U64*>(source);
  }
}

RECORDING_FUNCTION void copyTouchedElements(U32 site) {
  for (U32 before = recording_control.counts[threadInBlock()] - 1; before-- > 0;) {
    const ulonglong2 logged = *column(before);
    const Event access{logged.x, logged.y};
    const EventKind kind = access.kind();
    if (kind == EventKind::BlockBarrier || kind == EventKind::WarpBarrier) return;
    const bool touches = kind == EventKind::Load || kind == EventKind::Store || kind == EventKind::Atomic;
    if (!touches || !access.inShared()) continue;
    const U32 log2Width = access.width() == 1 ? 0 : access.width() == 2 ? 1 : access.width() == 4 ? 2 : 3;
    append(eventHead(access.offset(), site, EventKind::Copied, access.space(), log2Width),
           sharedBits(access));
  }
}

RECORDING_OUT_OF_LINE void warpBarrierOf(U32 site, U32 mask) {
  __syncwarp(mask);
  if (!isInspected()) return;
  copyTouchedElements(site);
  __syncwarp(mask);  // nobody writes before the slowest lane has copied
}

RECORDING_FUNCTION void warpBarrier(U32 site, U32 mask) { warpBarrierOf(site, mask); }

// ---- Warp operations and atomics: the hardware's own.

template <ShuffleKind kind, class T>
RECORDING_FUNCTION T shuffle(U32 site, U32 mask, T value, U32 operand, int width, U32 source) {
  if ((mask >> source & 1) == 0 && isInspected()) report(GpuReportKind::UndefinedShuffle, site, source);
  if constexpr (kind == ShuffleKind::Indexed) return __shfl_sync(mask, value, int(operand), width);
  if constexpr (kind == ShuffleKind::Up) return __shfl_up_sync(mask, value, operand, width);
  if constexpr (kind == ShuffleKind::Down) return __shfl_down_sync(mask, value, operand, width);
  if constexpr (kind == ShuffleKind::Xor) return __shfl_xor_sync(mask, value, int(operand), width);
}

template <VoteKind kind>
RECORDING_FUNCTION U32 vote(U32, U32 mask, bool predicate) {
  if constexpr (kind == VoteKind::Ballot) return __ballot_sync(mask, predicate);
  if constexpr (kind == VoteKind::Any) return U32(__any_sync(mask, predicate));
  if constexpr (kind == VoteKind::All) return U32(__all_sync(mask, predicate));
}

RECORDING_FUNCTION U32 activeLanes(U32) { return __activemask(); }

template <ReduceKind kind, class T>
RECORDING_FUNCTION T reduceWarp(U32, U32 mask, T value) {
#if __CUDA_ARCH__ >= 800  // the instruction came with compute capability 8.0
  if constexpr (kind == ReduceKind::Add) return __reduce_add_sync(mask, value);
  if constexpr (kind == ReduceKind::Min) return __reduce_min_sync(mask, value);
  if constexpr (kind == ReduceKind::Max) return __reduce_max_sync(mask, value);
  if constexpr (kind == ReduceKind::And) return __reduce_and_sync(mask, value);
  if constexpr (kind == ReduceKind::Or) return __reduce_or_sync(mask, value);
  if constexpr (kind == ReduceKind::Xor) return __reduce_xor_sync(mask, value);
#else
  static_assert(sizeof(T) == 0, "__reduce_*_sync needs compute capability 8.0");
#endif
}

template <AtomicKind kind, class T>
RECORDING_FUNCTION T applyAtomic(T* pointer, T operand, T comparand) {
  if constexpr (kind == AtomicKind::Add) return ::atomicAdd(pointer, operand);
  if constexpr (kind == AtomicKind::Sub) return ::atomicSub(pointer, operand);
  if constexpr (kind == AtomicKind::Min) return ::atomicMin(pointer, operand);
  if constexpr (kind == AtomicKind::Max) return ::atomicMax(pointer, operand);
  if constexpr (kind == AtomicKind::And) return ::atomicAnd(pointer, operand);
  if constexpr (kind == AtomicKind::Or) return ::atomicOr(pointer, operand);
  if constexpr (kind == AtomicKind::Xor) return ::atomicXor(pointer, operand);
  if constexpr (kind == AtomicKind::Exchange) return ::atomicExch(pointer, operand);
  if constexpr (kind == AtomicKind::CompareAndSwap) return ::atomicCAS(pointer, comparand, operand);
  if constexpr (kind == AtomicKind::Increment) return ::atomicInc(pointer, operand);
}

#undef RECORDING_OUT_OF_LINE

}  // namespace recording

#define RECORDING_SHARED_STATIC(number, name, type, extent) \
  __shared__ type name extent;                              \
  recording::announceShared(number, name, sizeof(name), sizeof(type))
#define RECORDING_SHARED_DYNAMIC(number, name, type) \
  extern __shared__ type name[];                     \
  recording::announceShared(number, name, recording::dynamicSharedBytes(), sizeof(type))

// The preamble's two: the hardware's form of its operator.
#define RECORDING_COMBINE_WARP(site, ...) \
  recording::recordedReduceBy<T>(site, 0xffffffffu, __VA_ARGS__, [](T value) { return combineWarp(value); })
#define RECORDING_COMBINE_ATOMICALLY(site, ...) \
  recording::recordedAtomicBy<T>(               \
      site, [](T* pointer, T operand) { combineAtomically(pointer, operand); }, __VA_ARGS__)
