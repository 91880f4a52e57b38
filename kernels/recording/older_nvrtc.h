// The compiler's atomic functions that the catalogue's kernels call, for NVRTC before 12.8, which does not
// have them. Includes nothing and uses built-in types only.
//
// An order stronger than asked for is right, too: acquire and release are fences here, as is what is both,
// and every scope but the system's is the device's.
#pragma once

#if defined(__CUDACC_RTC__) && \
    (__CUDACC_VER_MAJOR__ < 12 || (__CUDACC_VER_MAJOR__ == 12 && __CUDACC_VER_MINOR__ < 8))

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

namespace older_nvrtc {

__device__ __forceinline__ void fence(int order, int scope) {
  if (order == __NV_ATOMIC_RELAXED) return;
  if (scope == __NV_THREAD_SCOPE_SYSTEM)
    __threadfence_system();
  else
    __threadfence();
}

template <class T>
__device__ __forceinline__ T load(const T* address, int scope) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8);
  if constexpr (sizeof(T) == 4) {
    unsigned bits = 0;
    if (scope == __NV_THREAD_SCOPE_SYSTEM)
      asm volatile("ld.relaxed.sys.u32 %0, [%1];" : "=r"(bits) : "l"(address) : "memory");
    else
      asm volatile("ld.relaxed.gpu.u32 %0, [%1];" : "=r"(bits) : "l"(address) : "memory");
    return __builtin_bit_cast(T, bits);
  } else {
    unsigned long long bits = 0;
    if (scope == __NV_THREAD_SCOPE_SYSTEM)
      asm volatile("ld.relaxed.sys.u64 %0, [%1];" : "=l"(bits) : "l"(address) : "memory");
    else
      asm volatile("ld.relaxed.gpu.u64 %0, [%1];" : "=l"(bits) : "l"(address) : "memory");
    return __builtin_bit_cast(T, bits);
  }
}

template <class T>
__device__ __forceinline__ void store(T* address, T value, int scope) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8);
  if constexpr (sizeof(T) == 4) {
    const unsigned bits = __builtin_bit_cast(unsigned, value);
    if (scope == __NV_THREAD_SCOPE_SYSTEM)
      asm volatile("st.relaxed.sys.u32 [%0], %1;" ::"l"(address), "r"(bits) : "memory");
    else
      asm volatile("st.relaxed.gpu.u32 [%0], %1;" ::"l"(address), "r"(bits) : "memory");
  } else {
    const unsigned long long bits = __builtin_bit_cast(unsigned long long, value);
    if (scope == __NV_THREAD_SCOPE_SYSTEM)
      asm volatile("st.relaxed.sys.u64 [%0], %1;" ::"l"(address), "l"(bits) : "memory");
    else
      asm volatile("st.relaxed.gpu.u64 [%0], %1;" ::"l"(address), "l"(bits) : "memory");
  }
}

template <class T>
struct Given {
  using Type = T;
};

}  // namespace older_nvrtc

template <class T>
__device__ __forceinline__ T __nv_atomic_load_n(const T* address, int order, int scope) {
  if (order == __NV_ATOMIC_SEQ_CST) older_nvrtc::fence(order, scope);
  const T value = older_nvrtc::load(address, scope);
  older_nvrtc::fence(order, scope);
  return value;
}
template <class T>
__device__ __forceinline__ void __nv_atomic_store_n(T* address, typename older_nvrtc::Given<T>::Type value,
                                                    int order, int scope) {
  older_nvrtc::fence(order, scope);
  older_nvrtc::store(address, value, scope);
  if (order == __NV_ATOMIC_SEQ_CST) older_nvrtc::fence(order, scope);
}
template <class T>
__device__ __forceinline__ T __nv_atomic_fetch_add(T* address, typename older_nvrtc::Given<T>::Type value,
                                                   int order, int scope) {
  older_nvrtc::fence(order, scope);
  const T before =
      scope == __NV_THREAD_SCOPE_SYSTEM ? atomicAdd_system(address, value) : atomicAdd(address, value);
  older_nvrtc::fence(order, scope);
  return before;
}

#endif
