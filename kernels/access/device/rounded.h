// CUDA's arithmetic in the other directions of rounding: _rz toward zero, _ru up, _rd down. Computed once in
// the wider type and then moved by one where that was rounded the wrong way.
#pragma once

#include "core.h"
#include "floats.h"

namespace accesses {

enum class Toward { Zero, Up, Down };

// The float next to the exact value `wide` + `error` in the given direction; `error` is what `wide` lacks.
ACCESS_INLINE float roundToward(Toward toward, double wide, double error) {
  const float near = static_cast<float>(wide);
  if (wide != wide || __builtin_isinf(wide)) return near;
  const double rest = (wide - static_cast<double>(near)) + error;  // its sign is that of exact - near
  const bool up = toward == Toward::Up || (toward == Toward::Zero && wide < 0);
  if (up)
    return __builtin_isinf(near) ? (near < 0 ? -FLT_MAX : near)
           : rest > 0            ? nextafterf(near, HUGE_VALF)
                                 : near;
  return __builtin_isinf(near) ? (near > 0 ? FLT_MAX : near) : rest < 0 ? nextafterf(near, -HUGE_VALF) : near;
}

// What a double sum, quotient or root lacks to the exact one; of a quotient and root, the sign is enough.
ACCESS_INLINE double errorOfSum(double a, double b) {
  const double sum = a + b, other = sum - a;
  return (a - (sum - other)) + (b - other);
}
ACCESS_INLINE double errorOfQuotient(double a, double b) {
  const double rest = fma(-(a / b), b, a);
  return b < 0 ? -rest : rest;
}
ACCESS_INLINE double errorOfRoot(double a) {
  const double root = sqrt(a);
  return fma(-root, root, a);
}
// The error's sign alone, smaller than any distance between floats.
ACCESS_INLINE double hint(double error) { return error > 0 ? 0x1p-1000 : error < 0 ? -0x1p-1000 : 0; }

ACCESS_INLINE float addToward(Toward toward, double a, double b) {
  return roundToward(toward, a + b, errorOfSum(a, b));
}
ACCESS_INLINE float divideToward(Toward toward, double a, double b) {
  return roundToward(toward, a / b, hint(errorOfQuotient(a, b)));
}
ACCESS_INLINE float rootToward(Toward toward, double a) {
  return roundToward(toward, sqrt(a), hint(errorOfRoot(a)));
}

}  // namespace accesses

#define ACCESS_ROUNDED(suffix, toward)                                                                   \
  ACCESS_INLINE float __fadd_##suffix(float x, float y) { return accesses::addToward(toward, x, y); }    \
  ACCESS_INLINE float __fsub_##suffix(float x, float y) { return accesses::addToward(toward, x, -y); }   \
  ACCESS_INLINE float __fmul_##suffix(float x, float y) {                                                \
    return accesses::roundToward(toward, static_cast<double>(x) * y, 0);                                 \
  }                                                                                                      \
  ACCESS_INLINE float __fmaf_##suffix(float x, float y, float z) {                                       \
    return accesses::addToward(toward, static_cast<double>(x) * y, z);                                   \
  }                                                                                                      \
  ACCESS_INLINE float __fdiv_##suffix(float x, float y) { return accesses::divideToward(toward, x, y); } \
  ACCESS_INLINE float __frcp_##suffix(float x) { return accesses::divideToward(toward, 1, x); }          \
  ACCESS_INLINE float __fsqrt_##suffix(float x) { return accesses::rootToward(toward, x); }              \
  ACCESS_INLINE float __double2float_##suffix(double x) { return accesses::roundToward(toward, x, 0); }  \
  ACCESS_INLINE float __int2float_##suffix(int x) { return accesses::roundToward(toward, x, 0); }        \
  ACCESS_INLINE float __uint2float_##suffix(unsigned x) { return accesses::roundToward(toward, x, 0); }
ACCESS_ROUNDED(rz, accesses::Toward::Zero)
ACCESS_ROUNDED(ru, accesses::Toward::Up)
ACCESS_ROUNDED(rd, accesses::Toward::Down)
#undef ACCESS_ROUNDED
