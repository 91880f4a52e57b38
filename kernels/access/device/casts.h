// CUDA's conversions between types (CUDA Math API, Type Casting Intrinsics). To an integer they round as the
// name says and stop at the type's limits; a NaN gives 0, in 64 bits the highest bit alone.
#pragma once

#include "core.h"
#include "floats.h"

// ---- The same bits as another type.

ACCESS_INLINE int __float_as_int(float x) { return accesses::castBits<int>(x); }
ACCESS_INLINE unsigned __float_as_uint(float x) { return accesses::castBits<unsigned>(x); }
ACCESS_INLINE float __int_as_float(int x) { return accesses::castBits<float>(x); }
ACCESS_INLINE float __uint_as_float(unsigned x) { return accesses::castBits<float>(x); }
ACCESS_INLINE long long __double_as_longlong(double x) { return accesses::castBits<long long>(x); }
ACCESS_INLINE double __longlong_as_double(long long x) { return accesses::castBits<double>(x); }
ACCESS_INLINE int __double2hiint(double x) {
  return static_cast<int>(accesses::castBits<long long>(x) >> 32);
}
ACCESS_INLINE int __double2loint(double x) { return static_cast<int>(accesses::castBits<long long>(x)); }
ACCESS_INLINE double __hiloint2double(int high, int low) {
  return accesses::castBits<double>(static_cast<unsigned long long>(static_cast<unsigned>(high)) << 32 |
                                    static_cast<unsigned>(low));
}

// ---- To an integer, and back.

namespace accesses {

// `rounded` is whole or a NaN. `least` and `beyond`: the type's lowest value, and the one behind its highest.
template <class T>
ACCESS_INLINE T toInteger(double rounded, double least, double beyond) {
  constexpr bool isSigned = static_cast<T>(-1) < 0;
  constexpr T highestBit = static_cast<T>(T{1} << (8 * sizeof(T) - 1));
  constexpr T lowest = isSigned ? highestBit : T{0};
  if (rounded != rounded) return sizeof(T) == 8 ? highestBit : T{0};
  if (rounded <= least) return lowest;
  if (rounded >= beyond) return static_cast<T>(~lowest);
  return static_cast<T>(rounded);
}

}  // namespace accesses

#define ACCESS_TO_INTEGER(from, From, to, To, least, beyond)                                                 \
  ACCESS_INLINE To __##from##2##to##_rn(From x) { return accesses::toInteger<To>(rint(x), least, beyond); }  \
  ACCESS_INLINE To __##from##2##to##_rz(From x) { return accesses::toInteger<To>(trunc(x), least, beyond); } \
  ACCESS_INLINE To __##from##2##to##_ru(From x) { return accesses::toInteger<To>(ceil(x), least, beyond); }  \
  ACCESS_INLINE To __##from##2##to##_rd(From x) { return accesses::toInteger<To>(floor(x), least, beyond); }
#define ACCESS_TO_INTEGERS(from, From)                          \
  ACCESS_TO_INTEGER(from, From, int, int, -0x1p31, 0x1p31)      \
  ACCESS_TO_INTEGER(from, From, uint, unsigned, 0.0, 0x1p32)    \
  ACCESS_TO_INTEGER(from, From, ll, long long, -0x1p63, 0x1p63) \
  ACCESS_TO_INTEGER(from, From, ull, unsigned long long, 0.0, 0x1p64)
ACCESS_TO_INTEGERS(float, float)
ACCESS_TO_INTEGERS(double, double)
#undef ACCESS_TO_INTEGERS
#undef ACCESS_TO_INTEGER

ACCESS_INLINE float __int2float_rn(int x) { return static_cast<float>(x); }
ACCESS_INLINE float __uint2float_rn(unsigned x) { return static_cast<float>(x); }
ACCESS_INLINE float __ll2float_rn(long long x) { return static_cast<float>(x); }
ACCESS_INLINE float __ull2float_rn(unsigned long long x) { return static_cast<float>(x); }
ACCESS_INLINE double __int2double_rn(int x) { return x; }
ACCESS_INLINE double __uint2double_rn(unsigned x) { return x; }
ACCESS_INLINE double __ll2double_rn(long long x) { return static_cast<double>(x); }
ACCESS_INLINE double __ull2double_rn(unsigned long long x) { return static_cast<double>(x); }
ACCESS_INLINE float __double2float_rn(double x) { return static_cast<float>(x); }
