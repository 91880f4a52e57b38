// The compiler's calls in place of atomic operations: std::atomic, std::atomic_ref and the __atomic and
// __sync builtins end here. A thread is a fiber and changes only where the program is asked, so an operation
// is an announcement and then plain reads and writes.
#pragma once

#include "core.h"

// An operation that gives what was there; `updated` is what comes there, of `old` and `value`.
#define ACCESS_UPDATE(bits, T, operation, updated)                                                   \
  ACCESS_C_FUNCTION T __tsan_atomic##bits##_##operation(volatile T* address, T value, int) {         \
    if (!accesses::beginAtomic(address, sizeof(T), accesses::bitsOf(value), ACCESS_PLACE)) return 0; \
    const T old = *address;                                                                          \
    *address = static_cast<T>(updated);                                                              \
    return old;                                                                                      \
  }
// A compare and exchange that says whether it happened and otherwise leaves what it found in *expected.
#define ACCESS_COMPARE(bits, T, strength)                                                                    \
  ACCESS_C_FUNCTION bool __tsan_atomic##bits##_compare_exchange_##strength(volatile T* address, T* expected, \
                                                                           T value, int, int) {              \
    if (!accesses::beginAtomic(address, sizeof(T), accesses::bitsOf(value), ACCESS_PLACE)) return true;      \
    const T old = *address, wanted = *expected;                                                              \
    if (old == wanted) *address = value;                                                                     \
    if (old != wanted) *expected = old;                                                                      \
    return old == wanted;                                                                                    \
  }
#define ACCESS_ATOMICS(bits, T)                                                                           \
  ACCESS_C_FUNCTION T __tsan_atomic##bits##_load(const volatile T* address, int) {                        \
    if (!accesses::beginAtomic(address, sizeof(T), 0, ACCESS_PLACE)) return 0;                            \
    return *address;                                                                                      \
  }                                                                                                       \
  ACCESS_C_FUNCTION void __tsan_atomic##bits##_store(volatile T* address, T value, int) {                 \
    if (accesses::beginAtomic(address, sizeof(T), accesses::bitsOf(value), ACCESS_PLACE)) {               \
      *address = value;                                                                                   \
    }                                                                                                     \
  }                                                                                                       \
  ACCESS_UPDATE(bits, T, exchange, value)                                                                 \
  ACCESS_UPDATE(bits, T, fetch_add, old + value)                                                          \
  ACCESS_UPDATE(bits, T, fetch_sub, old - value)                                                          \
  ACCESS_UPDATE(bits, T, fetch_and, old& value)                                                           \
  ACCESS_UPDATE(bits, T, fetch_or, old | value)                                                           \
  ACCESS_UPDATE(bits, T, fetch_xor, old ^ value)                                                          \
  ACCESS_UPDATE(bits, T, fetch_nand, ~(old & value))                                                      \
  ACCESS_COMPARE(bits, T, strong)                                                                         \
  ACCESS_COMPARE(bits, T, weak)                                                                           \
  ACCESS_C_FUNCTION T __tsan_atomic##bits##_compare_exchange_val(volatile T* address, T wanted, T value,  \
                                                                 int, int) {                              \
    if (!accesses::beginAtomic(address, sizeof(T), accesses::bitsOf(value), ACCESS_PLACE)) return wanted; \
    const T old = *address;                                                                               \
    if (old == wanted) *address = value;                                                                  \
    return old;                                                                                           \
  }
ACCESS_ATOMICS(8, unsigned char)
ACCESS_ATOMICS(16, unsigned short)
ACCESS_ATOMICS(32, accesses::U32)
ACCESS_ATOMICS(64, accesses::U64)
#undef ACCESS_ATOMICS
#undef ACCESS_COMPARE
#undef ACCESS_UPDATE

// Every write is seen at once by the threads that come after.
ACCESS_C_FUNCTION void __tsan_atomic_thread_fence(int) {}
ACCESS_C_FUNCTION void __tsan_atomic_signal_fence(int) {}
