// The compiler's calls: before plain and volatile accesses, for accesses of many bytes, and in place of
// atomic operations.
#pragma once

#include "core.h"

// The compiler's calls before plain and volatile accesses.

ACCESS_C_FUNCTION void __tsan_init() {}
ACCESS_C_FUNCTION void __tsan_func_entry(void* caller) {
  if (accesses::hooks != nullptr) accesses::hooks->enter(caller, ACCESS_PLACE);
}
ACCESS_C_FUNCTION void __tsan_func_exit() {}

// A variant of the names for each size: `form` is empty, unaligned_, volatile_ or unaligned_volatile_.
#define ACCESS_SIZED(form, bytes, order)                                   \
  ACCESS_C_FUNCTION void __tsan_##form##read##bytes(void* address) {       \
    accesses::read(address, bytes, ACCESS_PLACE, accesses::Order::order);  \
  }                                                                        \
  ACCESS_C_FUNCTION void __tsan_##form##write##bytes(void* address) {      \
    accesses::write(address, bytes, ACCESS_PLACE, accesses::Order::order); \
  }
#define ACCESS_FORMS(bytes)                \
  ACCESS_SIZED(, bytes, Plain)             \
  ACCESS_SIZED(unaligned_, bytes, Plain)   \
  ACCESS_SIZED(volatile_, bytes, Volatile) \
  ACCESS_SIZED(unaligned_volatile_, bytes, Volatile)
ACCESS_FORMS(1)
ACCESS_FORMS(2)
ACCESS_FORMS(4)
ACCESS_FORMS(8)
#undef ACCESS_FORMS
#undef ACCESS_SIZED

// 16 bytes at once: g++ says so of every struct of that size with members of 8 bytes, too, which a GPU
// accesses by as many bytes as the struct is aligned to.
#define ACCESS_SIXTEEN(form, order)                                                                    \
  ACCESS_C_FUNCTION void __tsan_##form##read16(void* address) {                                        \
    const accesses::U32 known = accesses::pieceBytes(address, 16);                                     \
    accesses::readPieces(address, 16, known != 0 ? known : 16, ACCESS_PLACE, accesses::Order::order);  \
  }                                                                                                    \
  ACCESS_C_FUNCTION void __tsan_##form##write16(void* address) {                                       \
    const accesses::U32 known = accesses::pieceBytes(address, 16);                                     \
    accesses::writePieces(address, 16, known != 0 ? known : 16, ACCESS_PLACE, accesses::Order::order); \
  }
ACCESS_SIXTEEN(, Plain)
ACCESS_SIXTEEN(unaligned_, Plain)
ACCESS_SIXTEEN(volatile_, Volatile)
ACCESS_SIXTEEN(unaligned_volatile_, Volatile)
#undef ACCESS_SIXTEEN

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

// Accesses of many bytes: the compiler's ranges, and memcpy, memmove and memset, by which compilers copy
// structs and which a person may call. They are recorded piece by piece, as a GPU would access them.

namespace accesses {

using Size = decltype(sizeof(0));

// Types that may alias any other: what is copied was written as something else.
using Bytes2 __attribute__((may_alias)) = unsigned short;
using Bytes4 __attribute__((may_alias)) = U32;
using Bytes8 __attribute__((may_alias)) = U64;

// The widest of 4, 2 and 1 bytes that divides both.
ACCESS_INLINE U32 commonWidth(U64 addresses, Size bytes) {
  const U64 both = addresses | bytes;
  return both % 4 == 0 ? 4 : both % 2 == 0 ? 2 : 1;
}

// As wide as the element's type is aligned. Where that is not known, g++ announces a range where the size is
// none of 1 to 16, or where the type is less aligned than its size: a range of 8 bytes is two accesses of 4,
// a range of 4 is two of 2.
ACCESS_INLINE U32 rangeWidth(const void* address, Size bytes) {
  if (const U32 known = pieceBytes(address, bytes); known != 0 && known < bytes) return known;
  const U32 width = commonWidth(reinterpret_cast<U64>(address), bytes);
  return width == bytes && width > 1 ? width / 2 : width;
}

// A copy tells its addresses and its length alone: it is one access where they allow it, and where the types
// of the elements do (`known`, of one that is not known 0).
ACCESS_INLINE U32 copyWidth(U64 addresses, Size bytes, U32 known) {
  const bool one = (bytes == 16 || bytes == 8) && addresses % bytes == 0;
  const U32 width = one ? static_cast<U32>(bytes) : commonWidth(addresses, bytes);
  return known != 0 && (known < width || (addresses | bytes) % known == 0) ? known : width;
}

ACCESS_INLINE void copyPiece(char* to, const char* from, U32 width) {
  switch (width) {
    case 1:
      *to = *from;
      break;
    case 2:
      *reinterpret_cast<Bytes2*>(to) = *reinterpret_cast<const Bytes2*>(from);
      break;
    case 4:
      *reinterpret_cast<Bytes4*>(to) = *reinterpret_cast<const Bytes4*>(from);
      break;
    case 8:
      *reinterpret_cast<Bytes8*>(to) = *reinterpret_cast<const Bytes8*>(from);
      break;
    default: {
      const U64 low = reinterpret_cast<const Bytes8*>(from)[0],
                high = reinterpret_cast<const Bytes8*>(from)[1];
      reinterpret_cast<Bytes8*>(to)[0] = low;
      reinterpret_cast<Bytes8*>(to)[1] = high;
    }
  }
}

// `mayOverlap`: where the target lies behind the source, from the end, so that all bytes come out right.
ACCESS_INLINE void copy(void* target, const void* source, Size bytes, const void* place, bool mayOverlap) {
  char* const to = static_cast<char*>(target);
  const char* const from = static_cast<const char*>(source);
  const U32 stored = pieceBytes(to, bytes), loaded = pieceBytes(from, bytes);
  const U32 width = copyWidth(reinterpret_cast<U64>(to) | reinterpret_cast<U64>(from), bytes,
                              stored == 0 || (loaded != 0 && loaded < stored) ? loaded : stored);
  const bool backward = mayOverlap && to > from;
  for (Size done = 0; done < bytes; done += width) {
    const Size at = backward ? bytes - width - done : done;
    read(from + at, width, place);
    write(to + at, width, place);
    copyPiece(to + at, from + at, width);
  }
}

ACCESS_INLINE void fill(void* target, int byte, Size bytes, const void* place) {
  char* const to = static_cast<char*>(target);
  const U64 pattern[2] = {0x0101010101010101ull * (byte & 0xff), 0x0101010101010101ull * (byte & 0xff)};
  const U32 width = copyWidth(reinterpret_cast<U64>(to), bytes, pieceBytes(to, bytes));
  for (Size at = 0; at < bytes; at += width) {
    write(to + at, width, place);
    copyPiece(to + at, reinterpret_cast<const char*>(pattern), width);
  }
}

}  // namespace accesses

ACCESS_C_FUNCTION void __tsan_read_range(void* address, accesses::Size bytes) {
  const accesses::U32 width = accesses::rangeWidth(address, bytes);
  accesses::readPieces(address, bytes, width, ACCESS_PLACE);
}
ACCESS_C_FUNCTION void __tsan_write_range(void* address, accesses::Size bytes) {
  const accesses::U32 width = accesses::rangeWidth(address, bytes);
  accesses::writePieces(address, bytes, width, ACCESS_PLACE);
}

// By their own names for g++ and for clang++ before 15, by __tsan_'s for later ones. For this text alone: the
// program's own calls go to the C library.
#define ACCESS_COPIES(definition, prefix, throwing)                                             \
  definition void* prefix##memcpy(void* to, const void* from, accesses::Size bytes) throwing {  \
    accesses::copy(to, from, bytes, ACCESS_PLACE, false);                                       \
    return to;                                                                                  \
  }                                                                                             \
  definition void* prefix##memmove(void* to, const void* from, accesses::Size bytes) throwing { \
    accesses::copy(to, from, bytes, ACCESS_PLACE, true);                                        \
    return to;                                                                                  \
  }                                                                                             \
  definition void* prefix##memset(void* to, int byte, accesses::Size bytes) throwing {          \
    accesses::fill(to, byte, bytes, ACCESS_PLACE);                                              \
    return to;                                                                                  \
  }
ACCESS_HIDE(memcpy)
ACCESS_HIDE(memmove)
ACCESS_HIDE(memset)
ACCESS_COPIES(ACCESS_C_BUILTIN, , noexcept)
ACCESS_COPIES(ACCESS_C_FUNCTION, __tsan_, )
#undef ACCESS_COPIES

// The compiler's calls in place of atomic operations: std::atomic, std::atomic_ref and the __atomic and
// __sync builtins end here. A thread is a fiber and changes only where the program is asked, so an operation
// is an announcement and then plain reads and writes.

// An operation that gives what was there; `updated` is what comes there, of `old` and `value`.
#define ACCESS_UPDATE(bits, T, operation, updated)                                                  \
  ACCESS_C_FUNCTION T __tsan_atomic##bits##_##operation(volatile T* address, T value, int order) {  \
    if (!accesses::beginAtomic(                                                                     \
            accesses::atomicOf(address, value, accesses::AtomicKind::Update, order, ACCESS_PLACE))) \
      return 0;                                                                                     \
    const T old = *address;                                                                         \
    *address = static_cast<T>(updated);                                                             \
    return old;                                                                                     \
  }
// A compare and exchange that says whether it happened and otherwise leaves what it found in *expected.
#define ACCESS_COMPARE(bits, T, strength)                                                                  \
  ACCESS_C_FUNCTION bool __tsan_atomic##bits##_compare_exchange_##strength(                                \
      volatile T* address, T* expected, T value, int order, int failure) {                                 \
    const T wanted = *expected;                                                                            \
    if (!accesses::beginAtomic(accesses::compareOf(address, wanted, value, order, failure, ACCESS_PLACE))) \
      return true;                                                                                         \
    const T old = *address;                                                                                \
    if (old == wanted) *address = value;                                                                   \
    if (old != wanted) *expected = old;                                                                    \
    return old == wanted;                                                                                  \
  }
#define ACCESS_ATOMICS(bits, T)                                                                            \
  ACCESS_C_FUNCTION T __tsan_atomic##bits##_load(const volatile T* address, int order) {                   \
    if (!accesses::beginAtomic(accesses::atomicOf(address, static_cast<T>(0), accesses::AtomicKind::Load,  \
                                                  order, ACCESS_PLACE)))                                   \
      return 0;                                                                                            \
    return *address;                                                                                       \
  }                                                                                                        \
  ACCESS_C_FUNCTION void __tsan_atomic##bits##_store(volatile T* address, T value, int order) {            \
    if (accesses::beginAtomic(                                                                             \
            accesses::atomicOf(address, value, accesses::AtomicKind::Store, order, ACCESS_PLACE))) {       \
      *address = value;                                                                                    \
    }                                                                                                      \
  }                                                                                                        \
  ACCESS_UPDATE(bits, T, exchange, value)                                                                  \
  ACCESS_UPDATE(bits, T, fetch_add, old + value)                                                           \
  ACCESS_UPDATE(bits, T, fetch_sub, old - value)                                                           \
  ACCESS_UPDATE(bits, T, fetch_and, old& value)                                                            \
  ACCESS_UPDATE(bits, T, fetch_or, old | value)                                                            \
  ACCESS_UPDATE(bits, T, fetch_xor, old ^ value)                                                           \
  ACCESS_UPDATE(bits, T, fetch_nand, ~(old & value))                                                       \
  ACCESS_COMPARE(bits, T, strong)                                                                          \
  ACCESS_COMPARE(bits, T, weak)                                                                            \
  ACCESS_C_FUNCTION T __tsan_atomic##bits##_compare_exchange_val(volatile T* address, T wanted, T value,   \
                                                                 int order, int failure) {                 \
    if (!accesses::beginAtomic(accesses::compareOf(address, wanted, value, order, failure, ACCESS_PLACE))) \
      return wanted;                                                                                       \
    const T old = *address;                                                                                \
    if (old == wanted) *address = value;                                                                   \
    return old;                                                                                            \
  }
ACCESS_ATOMICS(8, unsigned char)
ACCESS_ATOMICS(16, unsigned short)
ACCESS_ATOMICS(32, accesses::U32)
ACCESS_ATOMICS(64, accesses::U64)
#undef ACCESS_ATOMICS
#undef ACCESS_COMPARE
#undef ACCESS_UPDATE

// Every write is seen at once by the threads that come after.
ACCESS_C_FUNCTION void __tsan_atomic_thread_fence(int order) { accesses::fence(accesses::Order(order)); }
ACCESS_C_FUNCTION void __tsan_atomic_signal_fence(int) {}
