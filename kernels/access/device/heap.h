// Memory that a kernel allocates: malloc and free, new and delete (CUDA C++ Programming Guide, Dynamic Global
// Memory Allocation). The program knows where it lies, so that accesses there are within bounds. For this
// text alone, as memcpy is.
#pragma once

#include "core.h"

extern "C" void* __libc_malloc(decltype(sizeof(0)) bytes);
extern "C" void __libc_free(void* memory);

namespace accesses {

// Before the program has attached, and behind its end, the text's own variables allocate as any do.
ACCESS_INLINE void* allocate(decltype(sizeof(0)) bytes) {
  void* const memory = __libc_malloc(bytes);
  if (hooks != nullptr && memory != nullptr) hooks->allocated(memory, bytes);
  return memory;
}
ACCESS_INLINE void release(void* memory) {
  if (hooks != nullptr && memory != nullptr) hooks->released(memory);
  __libc_free(memory);
}

}  // namespace accesses

ACCESS_HIDE(malloc)
ACCESS_HIDE(free)
ACCESS_C_BUILTIN void* malloc(decltype(sizeof(0)) bytes) noexcept { return accesses::allocate(bytes); }
ACCESS_C_BUILTIN void free(void* memory) noexcept { accesses::release(memory); }

// By their names in the C++ ABI.
ACCESS_HIDE(_Znwm)
ACCESS_HIDE(_Znam)
ACCESS_HIDE(_ZdlPv)
ACCESS_HIDE(_ZdaPv)
ACCESS_HIDE(_ZdlPvm)
ACCESS_HIDE(_ZdaPvm)
#define ACCESS_OPERATOR __attribute__((noinline, ACCESS_UNSEEN, used))
ACCESS_OPERATOR void* operator new(decltype(sizeof(0)) bytes) { return accesses::allocate(bytes); }
ACCESS_OPERATOR void* operator new[](decltype(sizeof(0)) bytes) { return accesses::allocate(bytes); }
ACCESS_OPERATOR void operator delete(void* memory) noexcept { accesses::release(memory); }
ACCESS_OPERATOR void operator delete[](void* memory) noexcept { accesses::release(memory); }
ACCESS_OPERATOR void operator delete(void* memory, decltype(sizeof(0))) noexcept {
  accesses::release(memory);
}
ACCESS_OPERATOR void operator delete[](void* memory, decltype(sizeof(0))) noexcept {
  accesses::release(memory);
}
#undef ACCESS_OPERATOR
