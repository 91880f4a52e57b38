// Loads and stores with a hint to the caches (CUDA C++ Programming Guide, Load Functions Using Cache Hints
// and Store Functions Using Cache Hints): plain ones here.
#pragma once

#include "core.h"

#define ACCESS_LOAD(name)                       \
  template <class T>                            \
  ACCESS_CALL T name(const T* address) {        \
    accesses::readWhole(address, ACCESS_PLACE); \
    return accesses::unrecorded(address);       \
  }
ACCESS_LOAD(__ldg)
ACCESS_LOAD(__ldcg)
ACCESS_LOAD(__ldca)
ACCESS_LOAD(__ldcs)
ACCESS_LOAD(__ldlu)
ACCESS_LOAD(__ldcv)
#undef ACCESS_LOAD

#define ACCESS_STORE(name)                                      \
  template <class T>                                            \
  ACCESS_CALL void name(T* address, accesses::Given<T> value) { \
    accesses::writeWhole(address, ACCESS_PLACE);                \
    *address = value;                                           \
  }
ACCESS_STORE(__stwb)
ACCESS_STORE(__stcg)
ACCESS_STORE(__stcs)
ACCESS_STORE(__stwt)
#undef ACCESS_STORE
