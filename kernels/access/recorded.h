// What a text calls in which the text pass has put recording calls (kernels/recording/CALLS.md), for a
// person's kernel: the recording runtime, whose hooks ask the program that runs it. Included behind CUDA's
// functions and before the text.
//
// The text is compiled with -fsanitize=thread, too: what it accesses without a recording call is held against
// the bounds of arrays.
#pragma once

#include <type_traits>

#include "device/atomics.h"
#include "device/core.h"

#define RECORDING_FUNCTION ACCESS_INLINE
#define RECORDING_COPY __builtin_memcpy
// CUDA's functions tell the program of the order.
#define RECORDING_ATOMIC_LOAD(site, pointer, order, scope) \
  recording::recordedLook(site, pointer,                   \
                          [](auto* place) { return ::__nv_atomic_load_n(place, order, scope); })
#define RECORDING_ATOMIC_STORE(site, pointer, value, order, scope) \
  recording::recordedSend(site, pointer, value,                    \
                          [](auto* place, auto sent) { ::__nv_atomic_store_n(place, sent, order, scope); })
#define RECORDING_ATOMIC_FETCH_ADD(site, pointer, operand, order, scope)         \
  recording::recordedFetch(site, pointer, operand, [](auto* place, auto added) { \
    return ::__nv_atomic_fetch_add(place, added, order, scope);                  \
  })
#include "recording/core.h"

namespace recording {

ACCESS_INLINE const accesses::RecordedHooks& program() { return *accesses::hooks->recorded; }

ACCESS_INLINE void record(U64 head, U64 value) { program().record(head, value); }
ACCESS_INLINE Place locate(U32 site, const volatile void* pointer, U32 bytes, U32 alignment) {
  return {program().locate(site, pointer, bytes, alignment), true};
}
ACCESS_INLINE void betweenReadAndWrite(U32 site) { program().betweenReadAndWrite(site); }
ACCESS_INLINE void lookAgain(U32 site, const volatile void* pointer, U32 bytes) {
  program().lookAgain(site, pointer, bytes);
}
ACCESS_INLINE void noteVolatile(const volatile void* pointer, U32 bytes, bool writes) {
  (writes ? accesses::write : accesses::read)(pointer, bytes, nullptr, accesses::Order::Volatile);
}
ACCESS_INLINE U32 currentLane() { return accesses::hooks->lane(); }

ACCESS_INLINE void blockBarrier(U32 site) { program().blockBarrier(accesses::BarrierVote::None, site, 0); }
template <BarrierVote kind>
ACCESS_INLINE int blockBarrierVote(U32 site, bool predicate) {
  constexpr accesses::BarrierVote vote = kind == BarrierVote::Count ? accesses::BarrierVote::Count
                                         : kind == BarrierVote::And ? accesses::BarrierVote::And
                                                                    : accesses::BarrierVote::Or;
  return program().blockBarrier(vote, site, predicate);
}
ACCESS_INLINE void warpBarrier(U32 site, U32 mask) { program().warpBarrier(site, mask); }

// CUDA has shuffles of numbers of 4 and 8 bytes; of others a text does not compile here, and is recorded by
// its accesses.
template <ShuffleKind kind, class T>
ACCESS_INLINE T shuffle(U32 site, U32 mask, T value, U32, int, U32 source) {
  static_assert(std::is_arithmetic_v<T> && (sizeof(T) == 4 || sizeof(T) == 8));
  return accesses::fromBits<T>(program().shuffle(site, mask, accesses::bitsOf(value), source));
}
template <VoteKind kind>
ACCESS_INLINE U32 vote(U32 site, U32 mask, bool predicate) {
  constexpr accesses::LaneVote lanes = kind == VoteKind::Ballot ? accesses::LaneVote::Ballot
                                       : kind == VoteKind::Any  ? accesses::LaneVote::Any
                                                                : accesses::LaneVote::All;
  return program().vote(lanes, site, mask, predicate);
}
ACCESS_INLINE U32 activeLanes(U32 site) { return program().activeLanes(site); }

template <ReduceKind kind, class T>
ACCESS_INLINE U64 foldBits(U64 leftBits, U64 rightBits) {
  const T left = accesses::fromBits<T>(leftBits), right = accesses::fromBits<T>(rightBits);
  if constexpr (kind == ReduceKind::Add) return accesses::bitsOf(static_cast<T>(left + right));
  if constexpr (kind == ReduceKind::Min) return accesses::bitsOf(right < left ? right : left);
  if constexpr (kind == ReduceKind::Max) return accesses::bitsOf(left < right ? right : left);
  if constexpr (kind == ReduceKind::And) return accesses::bitsOf(static_cast<T>(left & right));
  if constexpr (kind == ReduceKind::Or) return accesses::bitsOf(static_cast<T>(left | right));
  return accesses::bitsOf(static_cast<T>(left ^ right));
}
template <ReduceKind kind, class T>
ACCESS_INLINE T reduceWarp(U32 site, U32 mask, T value) {
  static_assert(std::is_same_v<T, int> || std::is_same_v<T, unsigned>);
  return accesses::fromBits<T>(program().reduce(static_cast<accesses::Fold>(kind), site, mask,
                                                accesses::bitsOf(value), foldBits<kind, T>));
}

// CUDA's functions know which types have which operation.
template <AtomicKind kind, class T>
ACCESS_INLINE T applyAtomic(T* pointer, T operand, [[maybe_unused]] T comparand) {
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

// The trace tells the values of local variables as of one type, RECORDING_ELEMENT. With another one the text
// does not compile, and is recorded by its accesses.
#ifndef RECORDING_ELEMENT
#define RECORDING_ELEMENT void
#endif
template <class T>
ACCESS_INLINE T elementValue(U32 site, Element<T> assigned) {
  using Told = RECORDING_ELEMENT;
  static_assert(std::is_arithmetic_v<T> && std::is_arithmetic_v<Told> && sizeof(T) == sizeof(Told) &&
                std::is_floating_point_v<T> == std::is_floating_point_v<Told> &&
                std::is_signed_v<T> == std::is_signed_v<Told>);
  return value<T>(site, assigned);
}

template <class T>
ACCESS_INLINE void* sharedArray(U32 array, U64 bytes) {
  constexpr accesses::ElementKind kind = std::is_floating_point_v<T> ? accesses::ElementKind::Floating
                                         : std::is_signed_v<T>       ? accesses::ElementKind::Signed
                                                                     : accesses::ElementKind::Other;
  return program().sharedArray(array, bytes, sizeof(T), kind);
}

ACCESS_INLINE U64 dynamicSharedBytes() { return program().dynamicSharedBytes(); }

}  // namespace recording

#define RECORDING_SHARED_STATIC(array, name, type, extent)                  \
  using recording_type_of_##name = type extent;                             \
  recording_type_of_##name& name = *static_cast<recording_type_of_##name*>( \
      recording::sharedArray<type>(array, sizeof(recording_type_of_##name)))
#define RECORDING_SHARED_DYNAMIC(array, name, type) \
  type* const name = static_cast<type*>(recording::sharedArray<type>(array, recording::dynamicSharedBytes()))
