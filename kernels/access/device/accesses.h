// The compiler's calls before plain and volatile accesses.
#pragma once

#include "core.h"

ACCESS_C_FUNCTION void __tsan_init() {}
ACCESS_C_FUNCTION void __tsan_func_entry(void* caller) {
  if (accesses::hooks != nullptr) accesses::hooks->enter(caller, ACCESS_PLACE);
}
ACCESS_C_FUNCTION void __tsan_func_exit() {}

// A variant of the names for each size: `form` is empty, unaligned_, volatile_ or unaligned_volatile_.
#define ACCESS_SIZED(form, bytes)                                     \
  ACCESS_C_FUNCTION void __tsan_##form##read##bytes(void* address) {  \
    accesses::read(address, bytes, ACCESS_PLACE);                     \
  }                                                                   \
  ACCESS_C_FUNCTION void __tsan_##form##write##bytes(void* address) { \
    accesses::write(address, bytes, ACCESS_PLACE);                    \
  }
#define ACCESS_FORMS(bytes)       \
  ACCESS_SIZED(, bytes)           \
  ACCESS_SIZED(unaligned_, bytes) \
  ACCESS_SIZED(volatile_, bytes)  \
  ACCESS_SIZED(unaligned_volatile_, bytes)
ACCESS_FORMS(1)
ACCESS_FORMS(2)
ACCESS_FORMS(4)
ACCESS_FORMS(8)
ACCESS_FORMS(16)
#undef ACCESS_FORMS
#undef ACCESS_SIZED

// clang++ joins the read and the write of `*p += 1` in one call: before the read.
#define ACCESS_READ_WRITE(form, bytes)                                     \
  ACCESS_C_FUNCTION void __tsan_##form##read_write##bytes(void* address) { \
    accesses::read(address, bytes, ACCESS_PLACE);                          \
    accesses::write(address, bytes, ACCESS_PLACE);                         \
  }
#define ACCESS_FORMS(bytes)  \
  ACCESS_READ_WRITE(, bytes) \
  ACCESS_READ_WRITE(unaligned_, bytes)
ACCESS_FORMS(1)
ACCESS_FORMS(2)
ACCESS_FORMS(4)
ACCESS_FORMS(8)
ACCESS_FORMS(16)
#undef ACCESS_FORMS
#undef ACCESS_READ_WRITE

// The pointer to an object's table of virtual functions.
ACCESS_C_FUNCTION void __tsan_vptr_read(void** address) {
  accesses::read(address, sizeof(void*), ACCESS_PLACE);
}
ACCESS_C_FUNCTION void __tsan_vptr_update(void** address, void*) {
  accesses::write(address, sizeof(void*), ACCESS_PLACE);
}
