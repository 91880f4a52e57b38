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

// By a function of the kernel's own: `apply`(pointer, operand) changes *pointer at once.
template <class T, class Apply>
RECORDING_FUNCTION void recordedAtomicBy(U32 site, Apply apply, T* pointer, Operand<T> operand) {
  const Place place = locate(site, pointer, sizeof(T), alignof(T));
  if (!place.allowed) return;
  note(place, site, EventKind::Atomic, operand);
  apply(pointer, operand);
}

}  // namespace recording
