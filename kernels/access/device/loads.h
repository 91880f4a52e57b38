// Loads and stores with a hint to the caches (CUDA C++ Programming Guide, Load Functions Using Cache Hints
// and Store Functions Using Cache Hints): plain ones here.
#pragma once

#include "core.h"

namespace access {

// Wider types are two accesses of 16 bytes.
ACCESS_INLINE void readHinted(const void* address, U32 bytes, const void* place) {
  const U32 width = bytes > 16 ? 16 : bytes;
  for (U32 at = 0; at < bytes; at += width) read(static_cast<const char*>(address) + at, width, place);
}
ACCESS_INLINE void writeHinted(void* address, U32 bytes, const void* place) {
  const U32 width = bytes > 16 ? 16 : bytes;
  for (U32 at = 0; at < bytes; at += width) write(static_cast<char*>(address) + at, width, place);
}

}  // namespace access

#define ACCESS_LOAD(name)                                 \
  template <class T>                                      \
  ACCESS_CALL T name(const T* address) {                  \
    access::readHinted(address, sizeof(T), ACCESS_PLACE); \
    return *address;                                      \
  }
ACCESS_LOAD(__ldg)
ACCESS_LOAD(__ldcg)
ACCESS_LOAD(__ldca)
ACCESS_LOAD(__ldcs)
ACCESS_LOAD(__ldlu)
ACCESS_LOAD(__ldcv)
#undef ACCESS_LOAD

#define ACCESS_STORE(name)                                    \
  template <class T>                                          \
  ACCESS_CALL void name(T* address, access::Given<T> value) { \
    access::writeHinted(address, sizeof(T), ACCESS_PLACE);    \
    *address = value;                                         \
  }
ACCESS_STORE(__stwb)
ACCESS_STORE(__stcg)
ACCESS_STORE(__stcs)
ACCESS_STORE(__stwt)
#undef ACCESS_STORE
