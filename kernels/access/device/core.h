// How the CUDA functions of this folder reach the program that runs the kernel. The person's text and these
// headers are one translation unit, compiled with -fsanitize=thread: what is defined here must not itself be
// instrumented, so every function is declared by one of the macros below.
#pragma once

#include "../hooks.h"

// What the compiler puts no calls into. clang++ announces the beginning of other functions all the same.
#if defined(__clang__)
#define ACCESS_UNSEEN no_sanitize("thread"), disable_sanitizer_instrumentation
#else
#define ACCESS_UNSEEN no_sanitize("thread")
#endif

// A helper that records nothing.
#define ACCESS_INLINE inline __attribute__((ACCESS_UNSEEN, visibility("hidden")))
// A function of CUDA's that records: its caller is the person's text, and ACCESS_PLACE is that call.
#define ACCESS_CALL inline __attribute__((noinline, ACCESS_UNSEEN, visibility("hidden")))
// A function that the compiler or the C library's headers call by its C name, defined once and not exported.
#define ACCESS_C_FUNCTION extern "C" __attribute__((noinline, ACCESS_UNSEEN, visibility("hidden"), used))
// The same where g++ itself knows the function (memcpy, printf): as exported, so that it would ignore the
// attribute for hidden ones. `.hidden` is told to the assembler instead, by ACCESS_HIDE.
#define ACCESS_C_BUILTIN extern "C" __attribute__((noinline, ACCESS_UNSEEN, used))
#define ACCESS_HIDE(name) __asm__(".hidden " #name);
#define ACCESS_PLACE __builtin_return_address(0)

// In a class of CUDA's: copies that record themselves, where the compiler does not announce all of them. g++
// (12) announces neither an object that a call takes by value, f(array[i]), nor one that a call returns,
// array[i] = f(). So there the copy constructor reads and the assignment of a temporary writes; the
// assignment of another object is announced. A struct that contains such a class is copied member by member,
// and then these members' place is the struct's. clang++ announces everything: the copies are its own.
#if defined(__clang__)
#define ACCESS_CLASS_COPIES(Class) Class() = default;
#else
#define ACCESS_CLASS_COPIES(Class)                                                     \
  Class() = default;                                                                   \
  ACCESS_CALL constexpr Class(const Class& other) {                                    \
    if (!__builtin_is_constant_evaluated()) accesses::readWhole(&other, ACCESS_PLACE); \
    assign(other);                                                                     \
  }                                                                                    \
  Class& operator=(const Class&) = default;                                            \
  ACCESS_CALL constexpr Class& operator=(Class&& other) {                              \
    if (!__builtin_is_constant_evaluated()) accesses::writeWhole(this, ACCESS_PLACE);  \
    assign(other);                                                                     \
    return *this;                                                                      \
  }
#endif

namespace accesses {

static_assert(sizeof(U32) == 4 && sizeof(U64) == 8 && sizeof(long) == 8,
              "CUDA's types on a 64-bit Linux are those of the machine");

// Null until the program has attached: static initialisers of the person's text run before that.
static const Hooks* hooks;

template <class T>
struct Exactly {
  using Type = T;
};
// A parameter type from which T is not deduced, so that the argument converts to it.
template <class T>
using Given = typename Exactly<T>::Type;

// For a static_assert that fails only when the template that contains it is used.
template <class...>
constexpr bool never = false;

template <class T>
ACCESS_INLINE U64 bitsOf(const T& value) {
  static_assert(sizeof(T) <= 8, "lanes exchange values of at most 8 bytes");
  U64 bits = 0;
  __builtin_memcpy(&bits, &value, sizeof(T));
  return bits;
}
template <class T>
ACCESS_INLINE T fromBits(U64 bits) {
  T value;
  __builtin_memcpy(static_cast<void*>(&value), &bits, sizeof(T));
  return value;
}
// The same bits as another type of the same size.
template <class To, class From>
ACCESS_INLINE To castBits(const From& value) {
  static_assert(sizeof(To) == sizeof(From));
  return __builtin_bit_cast(To, value);
}

ACCESS_INLINE void read(const volatile void* address, U32 bytes, const void* place,
                        Order order = Order::Plain) {
  if (hooks != nullptr) hooks->read(address, bytes, place, order);
}
ACCESS_INLINE void write(const volatile void* address, U32 bytes, const void* place,
                         Order order = Order::Plain) {
  if (hooks != nullptr) hooks->write(address, bytes, place, order);
}
ACCESS_INLINE void writeOn(const volatile void* address, U32 bytes, const void* place,
                           Order order = Order::Plain) {
  if (hooks != nullptr) hooks->writeOn(address, bytes, place, order);
}
ACCESS_INLINE U32 pieceBytes(const volatile void* address, U64 bytes) {
  return hooks != nullptr ? hooks->pieceBytes(address, bytes) : 0;
}
// All of a store, which comes behind this, piece by piece.
ACCESS_INLINE void writePieces(const volatile void* address, U64 bytes, U32 width, const void* place,
                               Order order = Order::Plain) {
  const volatile char* const to = static_cast<const volatile char*>(address);
  for (U64 at = 0; at < bytes; at += width)
    at == 0 ? write(to, width, place, order) : writeOn(to + at, width, place, order);
}
ACCESS_INLINE void readPieces(const volatile void* address, U64 bytes, U32 width, const void* place,
                              Order order = Order::Plain) {
  const volatile char* const from = static_cast<const volatile char*>(address);
  for (U64 at = 0; at < bytes; at += width) read(from + at, width, place, order);
}
// An object of a class, in the pieces by which a GPU accesses it: as wide as its alignment, at most 16 bytes.
template <class T>
ACCESS_INLINE void readWhole(const T* object, const void* place) {
  constexpr U32 width = alignof(T) < 16 ? alignof(T) : 16;
  readPieces(object, sizeof(T), width, place);
}
template <class T>
ACCESS_INLINE void writeWhole(const T* object, const void* place) {
  constexpr U32 width = alignof(T) < 16 ? alignof(T) : 16;
  writePieces(object, sizeof(T), width, place);
}

// The object as it is, of which nothing is recorded.
template <class T>
ACCESS_INLINE T unrecorded(const T* object) {
  T copy;
  for (U32 at = 0; at < sizeof(T); at += alignof(T) < 8 ? alignof(T) : 8) {
    __builtin_memcpy(reinterpret_cast<char*>(&copy) + at, reinterpret_cast<const char*>(object) + at,
                     alignof(T) < 8 ? alignof(T) : 8);
  }
  return copy;
}

// Whether the atomic operation that is announced is to be carried out.
ACCESS_INLINE bool beginAtomic(const Atomic& operation) {
  return hooks == nullptr || hooks->atomic(operation);
}
template <class T>
ACCESS_INLINE Atomic atomicOf(const volatile T* address, const T& operand, AtomicKind kind, int order,
                              const void* place) {
  return {.address = address,
          .bytes = sizeof(T),
          .operand = bitsOf(operand),
          .place = place,
          .kind = kind,
          .order = Order(order)};
}
template <class T>
ACCESS_INLINE Atomic compareOf(const volatile T* address, const T& wanted, const T& value, int order,
                               int failure, const void* place) {
  Atomic operation = atomicOf(address, value, AtomicKind::Compare, order, place);
  operation.failure = Order(failure);
  operation.comparand = bitsOf(wanted);
  return operation;
}
ACCESS_INLINE void fence(Order order) {
  if (hooks != nullptr) hooks->fence(order);
}

}  // namespace accesses
