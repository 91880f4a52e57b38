// The recording runtime's atomics, for the GPU and for the host. Part of recording/core.h, which includes it.
#pragma once

#include "recording/core.h"

namespace recording {

// ---- Atomics. T alone is deduced from the pointer; the operands convert to it as in a call of CUDA's.

template <class T>
struct NotDeduced {
  using Type = T;
};
template <class T>
using Operand = typename NotDeduced<T>::Type;

template <AtomicKind kind, class T>
RECORDING_FUNCTION T recordedAtomic(U32 site, T* pointer, T operand, T comparand) {
  const Place place = locate(site, pointer, sizeof(T), alignof(T));
  if (!place.allowed) return T{};
  note(place, site, EventKind::Atomic, operand);
  return applyAtomic<kind>(pointer, operand, comparand);
}

#define RECORDING_ATOMIC(name, kind)                                             \
  template <class T>                                                             \
  RECORDING_FUNCTION T name(U32 site, T* pointer, Operand<T> operand) {          \
    return recordedAtomic<AtomicKind::kind, T>(site, pointer, operand, operand); \
  }
RECORDING_ATOMIC(atomicAdd, Add)
RECORDING_ATOMIC(atomicSub, Sub)
RECORDING_ATOMIC(atomicMin, Min)
RECORDING_ATOMIC(atomicMax, Max)
RECORDING_ATOMIC(atomicAnd, And)
RECORDING_ATOMIC(atomicOr, Or)
RECORDING_ATOMIC(atomicXor, Xor)
RECORDING_ATOMIC(atomicExch, Exchange)
RECORDING_ATOMIC(atomicInc, Increment)
#undef RECORDING_ATOMIC

template <class T>
RECORDING_FUNCTION T atomicCAS(U32 site, T* pointer, Operand<T> comparand, Operand<T> value) {
  return recordedAtomic<AtomicKind::CompareAndSwap, T>(site, pointer, value, comparand);
}

// ---- Atomic operations with an order and a scope, __nv_atomic_load_n and its like. Text calls the macros
// below, because a GPU's compiler wants the two as constants (gpu.h). On the host every write is seen at once
// by the threads that come after, whatever order the text names.

// `apply`(pointer, operand) returns what *pointer was.
template <class T, class Apply>
RECORDING_FUNCTION T recordedFetch(U32 site, T* pointer, Operand<T> operand, Apply apply) {
  const Place place = locate(site, pointer, sizeof(T), alignof(T));
  if (!place.allowed) return T{};
  note(place, site, EventKind::Atomic, operand);
  return apply(pointer, operand);
}

template <class T, class Look>
RECORDING_FUNCTION Element<T> recordedLook(U32 site, T* pointer, Look look) {
  lookAgain(site, pointer, sizeof(T));
  const Place place = locate(site, pointer, sizeof(T), alignof(T));
  if (!place.allowed) return Element<T>{};
  const Element<T> value = look(pointer);
  note(place, site, EventKind::Load, value);
  return value;
}

template <class T, class Send>
RECORDING_FUNCTION void recordedSend(U32 site, T* pointer, Operand<T> value, Send send) {
  const Place place = locate(site, pointer, sizeof(T), alignof(T));
  if (!place.allowed) return;
  send(pointer, value);
  note(place, site, EventKind::Store, value);
}

#ifndef RECORDING_ATOMIC_LOAD
#define RECORDING_ATOMIC_LOAD(site, pointer, order, scope) \
  recording::recordedLook(site, pointer, [](const auto* place) { return *place; })
#define RECORDING_ATOMIC_STORE(site, pointer, value, order, scope) \
  recording::recordedSend(site, pointer, value, [](auto* place, auto sent) { *place = sent; })
#define RECORDING_ATOMIC_FETCH_ADD(site, pointer, operand, order, scope)         \
  recording::recordedFetch(site, pointer, operand, [](auto* place, auto added) { \
    const auto old = *place;                                                     \
    *place = old + added;                                                        \
    return old;                                                                  \
  })
#endif

// By a function of the kernel's own: `apply`(pointer, operand) changes *pointer at once.
template <class T, class Apply>
RECORDING_FUNCTION void recordedAtomicBy(U32 site, Apply apply, T* pointer, Operand<T> operand) {
  const Place place = locate(site, pointer, sizeof(T), alignof(T));
  if (!place.allowed) return;
  note(place, site, EventKind::Atomic, operand);
  apply(pointer, operand);
}

}  // namespace recording
