// The recording runtime's host half: the hooks of recording/core.h on the CPU executor, and those of CUDA's
// names that a C++ compiler does not know. Instrumented text compiled for the host includes this header.
//
// Flags it needs: -ffp-contract=off (no fused multiply-add, as -fmad=false on the GPU) and -fwrapv (signed
// overflow wraps, as on the GPU).
#pragma once

#include <type_traits>
#include <utility>

#define __device__
#define __global__
#define __host__
#define __forceinline__ inline
#define __noinline__
#define __launch_bounds__(...)
#define __restrict__ __restrict

#include "recording/core.h"
#include "recording/host/cuda_functions.h"
#include "recording/host/cuda_vectors.h"
#include "recording/host/machine.h"

namespace recording {

RECORDING_FUNCTION void record(U64 head, U64 value) {
  Machine& m = *machine;
  Event* const event = m.next;
  event->head = head;
  event->value = value;
  m.next = event + 1;
  if (__builtin_expect(event + 1 == m.end, 0)) logIsFull();
}

RECORDING_FUNCTION Place locate(U32 site, const volatile void* pointer, U32 bytes, U32 alignment) {
  const MemoryRange& first = machine->firstArray;
  const U64 offset = reinterpret_cast<U64>(pointer) - first.base;
  const bool inside = offset < first.bytes && first.bytes - offset >= bytes;
  if (__builtin_expect(inside && offset % alignment == 0, 1)) return placeAt(kSharedSpace, offset);
  return {locateElsewhere(site, pointer, bytes, alignment), true};
}

RECORDING_FUNCTION void lookAgain(U32 site, const volatile void* pointer, U32 bytes) {
  waitForChange(site, pointer, bytes);
}

RECORDING_FUNCTION void betweenReadAndWrite(U32 site) {
  if (__builtin_expect(machine->stepwise, 0)) letOthersGo(site);
}

RECORDING_FUNCTION void noteVolatile(const volatile void*, U32, bool) {}

RECORDING_FUNCTION U32 currentLane() { return machine->running->lane; }

RECORDING_FUNCTION void waitAtBlockBarrier(U32 site, bool predicate) {
  HostThread& self = *machine->running;
  leaveFor(self, arriveAtBlockBarrier(site, predicate));
}

RECORDING_FUNCTION U64 meetLanes(const WarpRequest& request) {
  HostThread& self = *machine->running;
  leaveFor(self, arriveAtMeeting(request));
  return self.request.bits;
}

RECORDING_FUNCTION void blockBarrier(U32 site) { waitAtBlockBarrier(site, false); }

RECORDING_FUNCTION void clusterBarrier(U32 site) {
  HostThread& self = *machine->running;
  leaveFor(self, arriveAtClusterBarrier(site));
}

template <BarrierVote kind>
RECORDING_FUNCTION int blockBarrierVote(U32 site, bool predicate) {
  waitAtBlockBarrier(site, predicate);
  if constexpr (kind == BarrierVote::Count) return machine->barrierCount;
  if constexpr (kind == BarrierVote::And) return machine->barrierAll;
  return machine->barrierCount != 0;
}

RECORDING_FUNCTION void warpBarrier(U32 site, U32 mask) {
  meetLanes({.site = site, .mask = mask, .act = WarpAct::Barrier});
}

template <class T>
RECORDING_FUNCTION T fromBits(U64 bits) {
  T value;
  __builtin_memcpy(&value, &bits, sizeof(T));
  return value;
}

template <ShuffleKind kind, class T>
RECORDING_FUNCTION T shuffle(U32 site, U32 mask, T value, U32, int, U32 source) {
  return fromBits<T>(meetLanes({site, mask, WarpAct::Shuffle, source, bitsOf(value)}));
}

template <VoteKind kind>
RECORDING_FUNCTION U32 vote(U32 site, U32 mask, bool predicate) {
  constexpr WarpAct act = kind == VoteKind::Ballot ? WarpAct::Ballot
                          : kind == VoteKind::Any  ? WarpAct::Any
                                                   : WarpAct::All;
  return U32(meetLanes({site, mask, act, 0, predicate}));
}

RECORDING_FUNCTION U32 activeLanes(U32 site) { return lanesTogether(site); }

template <ReduceKind kind, class T>
U64 foldBits(U64 leftBits, U64 rightBits) {
  const T left = fromBits<T>(leftBits), right = fromBits<T>(rightBits);
  T result{};
  if constexpr (kind == ReduceKind::Add) result = left + right;
  if constexpr (kind == ReduceKind::Min) result = right < left ? right : left;
  if constexpr (kind == ReduceKind::Max) result = left < right ? right : left;
  if constexpr (kind == ReduceKind::And) result = left & right;
  if constexpr (kind == ReduceKind::Or) result = left | right;
  if constexpr (kind == ReduceKind::Xor) result = left ^ right;
  return bitsOf(result);
}

template <ReduceKind kind, class T>
RECORDING_FUNCTION T reduceWarp(U32 site, U32 mask, T value) {
  constexpr WarpAct act = WarpAct(U8(WarpAct::ReduceAdd) + U8(kind));
  return fromBits<T>(meetLanes({site, mask, act, 0, bitsOf(value), foldBits<kind, T>}));
}

template <AtomicKind kind, class T>
RECORDING_FUNCTION T applyAtomic(T* pointer, T operand, T comparand) {
  const T old = *pointer;  // threads take turns on one core: nothing comes between
  if constexpr (kind == AtomicKind::Add) *pointer = old + operand;
  if constexpr (kind == AtomicKind::Sub) *pointer = old - operand;
  if constexpr (kind == AtomicKind::Min) *pointer = operand < old ? operand : old;
  if constexpr (kind == AtomicKind::Max) *pointer = old < operand ? operand : old;
  if constexpr (kind == AtomicKind::And) *pointer = old & operand;
  if constexpr (kind == AtomicKind::Or) *pointer = old | operand;
  if constexpr (kind == AtomicKind::Xor) *pointer = old ^ operand;
  if constexpr (kind == AtomicKind::Exchange) *pointer = operand;
  if constexpr (kind == AtomicKind::CompareAndSwap) *pointer = old == comparand ? operand : old;
  if constexpr (kind == AtomicKind::Increment) *pointer = old >= operand ? T(0) : T(old + 1);
  return old;
}

RECORDING_FUNCTION void* sharedArray(U32 array, U64 bytes) {
  const MemoryRange& range = machine->arrays[array];
  return __builtin_expect(range.bytes != 0, 1) ? reinterpret_cast<void*>(range.base)
                                               : declareShared(array, bytes);
}

// Lane after lane, the lowest first. `fold` takes and gives bits.
template <class T>
RECORDING_FUNCTION T combineWarp(U32 site, U64 (*fold)(U64, U64), T value) {
  constexpr U32 mask = 0xffffffffu;
  return recordedReduceBy<T>(site, mask, value, [&](T own) {
    return fromBits<T>(meetLanes({site, mask, WarpAct::Combine, 0, bitsOf(own), fold}));
  });
}

// Calls a kernel with arguments as cuLaunchKernel takes them: a pointer to each.
template <auto kernel>
struct KernelCall;
template <class... Parameter, void (*kernel)(Parameter...)>
struct KernelCall<kernel> {
  static void call(void** arguments) { unpack(arguments, std::index_sequence_for<Parameter...>{}); }

 private:
  template <std::size_t... index>
  static void unpack(void** arguments, std::index_sequence<index...>) {
    kernel(*static_cast<std::remove_const_t<Parameter>*>(arguments[index])...);
  }
};

}  // namespace recording

#define threadIdx (recording::machine->running->threadIndex)
#define blockIdx (recording::machine->blockIndex)
#define blockDim (recording::machine->blockShape)
#define gridDim (recording::machine->gridShape)
#define warpSize 32

#define RECORDING_SHARED_STATIC(array, name, type, extent)                  \
  using recording_type_of_##name = type extent;                             \
  recording_type_of_##name& name = *static_cast<recording_type_of_##name*>( \
      recording::sharedArray(array, sizeof(recording_type_of_##name)))
#define RECORDING_SHARED_DYNAMIC(array, name, type) \
  type* const name = static_cast<type*>(recording::sharedArray(array, recording::machine->dynamicSharedBytes))

// The preamble's two. On the host both come from its combine: threads take turns on one core.
#define RECORDING_FOLD                                                                              \
  [](recording::U64 left, recording::U64 right) {                                                   \
    return recording::bitsOf(combine(recording::fromBits<T>(left), recording::fromBits<T>(right))); \
  }
#define RECORDING_COMBINE_WARP(site, ...) recording::combineWarp<T>(site, RECORDING_FOLD, __VA_ARGS__)
#define RECORDING_REDUCE_GROUP(site, ...) recording::reduceGroup<T>(site, RECORDING_FOLD, __VA_ARGS__)
#define RECORDING_COMBINE_ATOMICALLY(site, ...) \
  recording::recordedAtomicBy<T>(               \
      site, [](T* pointer, T operand) { *pointer = combine(*pointer, operand); }, __VA_ARGS__)
