// CUDA's atomic functions for the types that CUDA has them for (CUDA C++ Programming Guide, Atomic
// Functions), each also as _block and _system. A thread is a fiber and changes only where the program is
// asked: an operation is an announcement and then a plain read and write. Those of half precision are in
// cuda_fp16.h, cuda_bf16.h. The compiler's own, with an order and a scope, are at the end.
#pragma once

#include "core.h"

// `updated`: what comes in the place of `old`, of `old` and `value`.
#define ACCESS_ATOMIC_NAMED(name, T, updated)                                                           \
  ACCESS_CALL T name(T* address, T value) {                                                             \
    if (!accesses::beginAtomic({address, sizeof(T), accesses::bitsOf(value), ACCESS_PLACE})) return {}; \
    const T old = *address;                                                                             \
    *address = updated;                                                                                 \
    return old;                                                                                         \
  }
#define ACCESS_ATOMIC(name, T, updated)         \
  ACCESS_ATOMIC_NAMED(name, T, updated)         \
  ACCESS_ATOMIC_NAMED(name##_block, T, updated) \
  ACCESS_ATOMIC_NAMED(name##_system, T, updated)
#define ACCESS_ATOMIC_CAS_NAMED(name, T)                                  \
  ACCESS_CALL T name(T* address, T compare, T value) {                    \
    if (!accesses::beginAtomic({.address = address,                       \
                                .bytes = sizeof(T),                       \
                                .operand = accesses::bitsOf(value),       \
                                .place = ACCESS_PLACE,                    \
                                .kind = accesses::AtomicKind::Compare,    \
                                .comparand = accesses::bitsOf(compare)})) \
      return {};                                                          \
    const T old = *address;                                               \
    if (old == compare) *address = value;                                 \
    return old;                                                           \
  }
#define ACCESS_ATOMIC_CAS(T)                  \
  ACCESS_ATOMIC_CAS_NAMED(atomicCAS, T)       \
  ACCESS_ATOMIC_CAS_NAMED(atomicCAS_block, T) \
  ACCESS_ATOMIC_CAS_NAMED(atomicCAS_system, T)

ACCESS_ATOMIC(atomicAdd, int, old + value)
ACCESS_ATOMIC(atomicAdd, unsigned, old + value)
ACCESS_ATOMIC(atomicAdd, unsigned long long, old + value)
ACCESS_ATOMIC(atomicAdd, float, old + value)
ACCESS_ATOMIC(atomicAdd, double, old + value)
ACCESS_ATOMIC(atomicSub, int, old - value)
ACCESS_ATOMIC(atomicSub, unsigned, old - value)
ACCESS_ATOMIC(atomicExch, int, value)
ACCESS_ATOMIC(atomicExch, unsigned, value)
ACCESS_ATOMIC(atomicExch, unsigned long long, value)
ACCESS_ATOMIC(atomicExch, float, value)

#define ACCESS_ATOMIC_ORDER(T)                           \
  ACCESS_ATOMIC(atomicMin, T, value < old ? value : old) \
  ACCESS_ATOMIC(atomicMax, T, old < value ? value : old)
ACCESS_ATOMIC_ORDER(int)
ACCESS_ATOMIC_ORDER(unsigned)
ACCESS_ATOMIC_ORDER(long long)
ACCESS_ATOMIC_ORDER(unsigned long long)
#undef ACCESS_ATOMIC_ORDER

#define ACCESS_ATOMIC_BITS(T)             \
  ACCESS_ATOMIC(atomicAnd, T, old& value) \
  ACCESS_ATOMIC(atomicOr, T, old | value) \
  ACCESS_ATOMIC(atomicXor, T, old ^ value)
ACCESS_ATOMIC_BITS(int)
ACCESS_ATOMIC_BITS(unsigned)
ACCESS_ATOMIC_BITS(unsigned long long)
#undef ACCESS_ATOMIC_BITS

// Counters that wrap around at `value`.
ACCESS_ATOMIC(atomicInc, unsigned, old >= value ? 0 : old + 1)
ACCESS_ATOMIC(atomicDec, unsigned, old == 0 || old > value ? value : old - 1)

ACCESS_ATOMIC_CAS(int)
ACCESS_ATOMIC_CAS(unsigned)
ACCESS_ATOMIC_CAS(unsigned long long)
ACCESS_ATOMIC_CAS(unsigned short)

enum {
  __NV_ATOMIC_RELAXED,
  __NV_ATOMIC_CONSUME,
  __NV_ATOMIC_ACQUIRE,
  __NV_ATOMIC_RELEASE,
  __NV_ATOMIC_ACQ_REL,
  __NV_ATOMIC_SEQ_CST
};
enum {
  __NV_THREAD_SCOPE_THREAD,
  __NV_THREAD_SCOPE_BLOCK,
  __NV_THREAD_SCOPE_CLUSTER,
  __NV_THREAD_SCOPE_DEVICE,
  __NV_THREAD_SCOPE_SYSTEM
};

template <class T>
ACCESS_CALL T __nv_atomic_load_n(const T* address, int order, int) {
  accesses::read(address, sizeof(T), ACCESS_PLACE, accesses::Order(order));
  return *address;
}
template <class T>
ACCESS_CALL void __nv_atomic_store_n(T* address, accesses::Given<T> value, int order, int) {
  accesses::write(address, sizeof(T), ACCESS_PLACE, accesses::Order(order));
  *address = value;
}
template <class T>
ACCESS_CALL T __nv_atomic_fetch_add(T* address, accesses::Given<T> value, int order, int) {
  if (!accesses::beginAtomic({.address = address,
                              .bytes = sizeof(T),
                              .operand = accesses::bitsOf(value),
                              .place = ACCESS_PLACE,
                              .order = accesses::Order(order)}))
    return {};
  const T old = *address;
  *address = static_cast<T>(old + value);
  return old;
}
