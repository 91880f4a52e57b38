// A block's dynamic shared memory: what `extern __shared__ T name[]` in a person's text becomes.
#pragma once

#include "runtime.h"

namespace accesses {

__attribute__((ACCESS_UNSEEN, visibility("hidden"))) inline void* dynamicShared() {
  return hooks->dynamicShared();
}

// At namespace scope: a name that is a T* wherever it is used in a kernel. Functions that use it have such a
// pointer of their own.
template <class T>
struct DynamicShared {
  __attribute__((ACCESS_UNSEEN)) operator T*() const { return static_cast<T*>(dynamicShared()); }
};

}  // namespace accesses
