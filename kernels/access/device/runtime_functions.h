// What a kernel has of CUDA's runtime: the heap, printf and its like, and the names of host types.
#pragma once

#include <assert.h>
#include <stdarg.h>

#include "core.h"

// Memory that a kernel allocates: malloc and free, new and delete (CUDA C++ Programming Guide, Dynamic Global
// Memory Allocation). The program knows where it lies, so that accesses there are within bounds. For this
// text alone, as memcpy is.

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

// printf, assert, the clocks and traps of device code (CUDA C++ Programming Guide: Formatted Output,
// Assertion, Trap, Time and Nanosleep Functions). The C library's names are defined in this text alone,
// hidden, because compilers turn printf("text\n") into puts and assert into __assert_fail.

namespace accesses {

// A line that is longer is cut. A fiber's stack is small.
constexpr int kPrintedBytes = 1024;

// Gives how many bytes the text has.
ACCESS_INLINE int printFormatted(const char* format, va_list arguments) {
  char text[kPrintedBytes];
  const int bytes = __builtin_vsnprintf(text, sizeof text, format, arguments);
  if (hooks != nullptr) hooks->print(text);
  return bytes;
}
__attribute__((format(printf, 1, 2))) ACCESS_INLINE void print(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  printFormatted(format, arguments);
  va_end(arguments);
}

// How many arguments a format uses: what CUDA's printf returns.
ACCESS_INLINE int argumentsOf(const char* format) {
  int arguments = 0;
  for (; *format != 0; ++format) {
    if (format[0] != '%') continue;
    if (format[1] == '%') {
      ++format;
    } else {
      ++arguments;
    }
  }
  return arguments;
}

static long long clockTicks = 0;

}  // namespace accesses

ACCESS_HIDE(printf)
ACCESS_HIDE(vprintf)
ACCESS_HIDE(puts)
ACCESS_HIDE(putchar)
ACCESS_C_BUILTIN __attribute__((format(printf, 1, 2))) int printf(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int bytes = accesses::printFormatted(format, arguments);
  va_end(arguments);
  return bytes < 0 ? -1 : accesses::argumentsOf(format);
}
ACCESS_C_BUILTIN int vprintf(const char* format, va_list arguments) {
  return accesses::printFormatted(format, arguments) < 0 ? -1 : accesses::argumentsOf(format);
}
ACCESS_C_BUILTIN int puts(const char* text) {
  accesses::print("%s\n", text);
  return 0;
}
ACCESS_C_BUILTIN int putchar(int character) {
  accesses::print("%c", character);
  return character;
}

// A thread that fails ends its block: the program goes on without it.
ACCESS_C_FUNCTION void __assert_fail(const char* condition, const char* file, unsigned line,
                                     const char*) noexcept {
  accesses::print("%s:%u: Assertion `%s' failed.\n", file, line, condition);
  if (accesses::hooks != nullptr) accesses::hooks->fail("an assertion that does not hold", ACCESS_PLACE);
  __builtin_trap();
}
[[noreturn]] ACCESS_CALL void __trap() {
  if (accesses::hooks != nullptr) accesses::hooks->fail("__trap()", ACCESS_PLACE);
  __builtin_trap();
}
ACCESS_INLINE void __brkpt() {}

// Time is counted in questions for it, so that a loop that waits for a time ends.
ACCESS_INLINE long long clock64() { return ++accesses::clockTicks; }
ACCESS_C_FUNCTION long clock() noexcept { return clock64(); }
ACCESS_INLINE unsigned long long globaltimer() { return static_cast<unsigned long long>(clock64()); }
ACCESS_INLINE void __nanosleep(unsigned) {}

// Types of CUDA's host interface that helpers in a kernel's file name, so that the file compiles where its
// host functions were taken out. None of them does anything.

enum cudaError {
  cudaSuccess = 0,
  cudaErrorInvalidValue = 1,
  cudaErrorMemoryAllocation = 2,
  cudaErrorUnknown = 999
};
typedef enum cudaError cudaError_t;
enum cudaMemcpyKind {
  cudaMemcpyHostToHost = 0,
  cudaMemcpyHostToDevice = 1,
  cudaMemcpyDeviceToHost = 2,
  cudaMemcpyDeviceToDevice = 3,
  cudaMemcpyDefault = 4
};
typedef struct CUstream_st* cudaStream_t;
typedef struct CUevent_st* cudaEvent_t;
typedef struct CUgraph_st* cudaGraph_t;
typedef struct CUgraphExec_st* cudaGraphExec_t;
struct cudaDeviceProp;
