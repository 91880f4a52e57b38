// CUDA's atomics on threads of the operating system. A part of record_run.h.
#pragma once

namespace emulated {

// Replaces *pointer by change(*pointer), as one step; returns what it was.
template <class T, class Change>
T atomically(T* pointer, Change change) {
  T before;
  __atomic_load(pointer, &before, __ATOMIC_SEQ_CST);
  for (;;) {
    T after = change(before);
    if (__atomic_compare_exchange(pointer, &before, &after, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
      return before;
  }
}

}  // namespace emulated

#define EMULATED_ATOMIC(name, expression)                                         \
  template <class T>                                                              \
  T name(T* pointer, std::type_identity_t<T> operand) {                           \
    return emulated::atomically(pointer, [&](T old) -> T { return expression; }); \
  }
EMULATED_ATOMIC(atomicAdd, old + operand)
EMULATED_ATOMIC(atomicSub, old - operand)
EMULATED_ATOMIC(atomicMin, operand < old ? operand : old)
EMULATED_ATOMIC(atomicMax, old < operand ? operand : old)
EMULATED_ATOMIC(atomicAnd, old& operand)
EMULATED_ATOMIC(atomicOr, old | operand)
EMULATED_ATOMIC(atomicXor, old ^ operand)
EMULATED_ATOMIC(atomicExch, operand)
EMULATED_ATOMIC(atomicInc, old >= operand ? T(0) : T(old + 1))
#undef EMULATED_ATOMIC

template <class T>
T atomicCAS(T* pointer, std::type_identity_t<T> comparand, std::type_identity_t<T> value) {
  return emulated::atomically(pointer, [&](T old) { return old == comparand ? value : old; });
}

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
T __nv_atomic_load_n(const T* pointer, int, int) {
  return __atomic_load_n(pointer, __ATOMIC_SEQ_CST);
}
template <class T>
void __nv_atomic_store_n(T* pointer, std::type_identity_t<T> value, int, int) {
  __atomic_store_n(pointer, value, __ATOMIC_SEQ_CST);
}
template <class T>
T __nv_atomic_fetch_add(T* pointer, std::type_identity_t<T> operand, int, int) {
  return atomicAdd(pointer, operand);
}
