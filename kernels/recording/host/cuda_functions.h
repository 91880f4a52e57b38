// CUDA's built-in device functions and types, as far as kernels of the catalogue's kind use them, for a C++
// compiler. In the global namespace, because CUDA has them there. Each does what the CUDA C++ Programming
// Guide and the CUDA Math API say.
#pragma once

#include <cmath>

// One OS thread runs the whole block, turn by turn: every write is visible at once.
inline void __threadfence_block() {}
inline void __threadfence() {}
inline void __threadfence_system() {}

inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
inline int __clz(int x) { return x == 0 ? 32 : __builtin_clz(static_cast<unsigned>(x)); }
inline int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(x)); }
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __ffsll(long long x) { return __builtin_ffsll(x); }
inline unsigned __brev(unsigned x) {
  unsigned reversed = 0;
  for (int bit = 0; bit < 32; ++bit) reversed |= (x >> bit & 1u) << (31 - bit);
  return reversed;
}

// min and max: CUDA's overloads. Mixed signedness takes the unsigned one; a NaN and a number give the number.
#define RECORDING_MIN_MAX(type)                                \
  constexpr type min(type a, type b) { return b < a ? b : a; } \
  constexpr type max(type a, type b) { return a < b ? b : a; }
RECORDING_MIN_MAX(int)
RECORDING_MIN_MAX(unsigned)
RECORDING_MIN_MAX(long)
RECORDING_MIN_MAX(unsigned long)
RECORDING_MIN_MAX(long long)
RECORDING_MIN_MAX(unsigned long long)
#undef RECORDING_MIN_MAX

#define RECORDING_MIXED_MIN_MAX(integer)                          \
  constexpr unsigned integer min(integer a, unsigned integer b) { \
    return min(static_cast<unsigned integer>(a), b);              \
  }                                                               \
  constexpr unsigned integer min(unsigned integer a, integer b) { \
    return min(a, static_cast<unsigned integer>(b));              \
  }                                                               \
  constexpr unsigned integer max(integer a, unsigned integer b) { \
    return max(static_cast<unsigned integer>(a), b);              \
  }                                                               \
  constexpr unsigned integer max(unsigned integer a, integer b) { \
    return max(a, static_cast<unsigned integer>(b));              \
  }
RECORDING_MIXED_MIN_MAX(int)
RECORDING_MIXED_MIN_MAX(long)
RECORDING_MIXED_MIN_MAX(long long)
#undef RECORDING_MIXED_MIN_MAX

inline float min(float a, float b) { return fminf(a, b); }
inline float max(float a, float b) { return fmaxf(a, b); }
inline double min(double a, double b) { return fmin(a, b); }
inline double max(double a, double b) { return fmax(a, b); }
inline double min(float a, double b) { return fmin(a, b); }
inline double min(double a, float b) { return fmin(a, b); }
inline double max(float a, double b) { return fmax(a, b); }
inline double max(double a, float b) { return fmax(a, b); }

// The read-only data cache's load: here a plain one.
template <class T>
inline T __ldg(const T* pointer) {
  return *pointer;
}
