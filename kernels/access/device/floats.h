// CUDA's functions of floating point (CUDA Math API: single and double precision functions and intrinsics),
// as far as the C library does not have them. The fast intrinsics (__expf and its like) give here what the
// exact functions give: a GPU's last bits differ.
#pragma once

// libstdc++'s <cmath> brings special functions and with them most of <algorithm>, 0.3 s of compiling. CUDA
// has them under no such name, so they are left out where the library lets itself be told.
#if __has_include(<bits/c++config.h>)
#include <bits/c++config.h>
#undef _GLIBCXX_USE_STD_SPEC_FUNCS
#endif
#include <math.h>
#include <stdlib.h>

#include "core.h"

// ---- min and max: of a NaN and a number the number.

ACCESS_INLINE float min(float a, float b) { return fminf(a, b); }
ACCESS_INLINE float max(float a, float b) { return fmaxf(a, b); }
ACCESS_INLINE double min(double a, double b) { return fmin(a, b); }
ACCESS_INLINE double max(double a, double b) { return fmax(a, b); }
ACCESS_INLINE double min(float a, double b) { return fmin(a, b); }
ACCESS_INLINE double min(double a, float b) { return fmin(a, b); }
ACCESS_INLINE double max(float a, double b) { return fmax(a, b); }
ACCESS_INLINE double max(double a, float b) { return fmax(a, b); }

// ---- Functions that CUDA adds to C's, for float and double.

namespace accesses {

constexpr double kPi = 3.14159265358979323846;

// The sine and cosine of pi*x, exact at multiples of a half.
ACCESS_INLINE double sineOfPi(double x) {
  const double whole = round(2 * x), part = kPi * (x - whole / 2);
  switch (static_cast<long long>(fmod(whole, 4)) & 3) {
    case 0:
      return x == 0 ? x : sin(part);
    case 1:
      return cos(part);
    case 2:
      return -sin(part);
    default:
      return -cos(part);
  }
}
ACCESS_INLINE double cosineOfPi(double x) {
  const double whole = round(2 * x), part = kPi * (x - whole / 2);
  switch (static_cast<long long>(fmod(whole, 4)) & 3) {
    case 0:
      return cos(part);
    case 1:
      return -sin(part);
    case 2:
      return -cos(part);
    default:
      return sin(part);
  }
}

// The inverse of the standard normal distribution's integral: bisection, then Newton's steps.
ACCESS_INLINE double inverseNormal(double p) {
  if (!(p > 0 && p < 1)) return p == 0 ? -HUGE_VAL : p == 1 ? HUGE_VAL : NAN;
  double low = -40, high = 40;
  for (int i = 0; i < 100; ++i) {
    const double middle = (low + high) / 2;
    (erfc(-middle * M_SQRT1_2) / 2 < p ? low : high) = middle;
  }
  return (low + high) / 2;
}

}  // namespace accesses

ACCESS_INLINE double rsqrt(double x) { return 1 / sqrt(x); }
ACCESS_INLINE float rsqrtf(float x) { return static_cast<float>(1 / sqrt(static_cast<double>(x))); }
ACCESS_INLINE float rsqrt(float x) { return rsqrtf(x); }
ACCESS_INLINE double rcbrt(double x) { return 1 / cbrt(x); }
ACCESS_INLINE float rcbrtf(float x) { return static_cast<float>(1 / cbrt(static_cast<double>(x))); }
ACCESS_INLINE double sinpi(double x) { return accesses::sineOfPi(x); }
ACCESS_INLINE double cospi(double x) { return accesses::cosineOfPi(x); }
ACCESS_INLINE float sinpif(float x) { return static_cast<float>(accesses::sineOfPi(x)); }
ACCESS_INLINE float cospif(float x) { return static_cast<float>(accesses::cosineOfPi(x)); }
ACCESS_INLINE double normcdf(double x) { return erfc(-x * M_SQRT1_2) / 2; }
ACCESS_INLINE float normcdff(float x) { return static_cast<float>(normcdf(static_cast<double>(x))); }
ACCESS_INLINE double normcdfinv(double p) { return accesses::inverseNormal(p); }
ACCESS_INLINE float normcdfinvf(float p) { return static_cast<float>(accesses::inverseNormal(p)); }
ACCESS_INLINE double erfinv(double x) { return accesses::inverseNormal((x + 1) / 2) * M_SQRT1_2; }
ACCESS_INLINE float erfinvf(float x) { return static_cast<float>(erfinv(static_cast<double>(x))); }
ACCESS_INLINE double rhypot(double x, double y) { return 1 / hypot(x, y); }
ACCESS_INLINE float rhypotf(float x, float y) { return 1 / hypotf(x, y); }
ACCESS_INLINE double norm3d(double x, double y, double z) { return sqrt(x * x + y * y + z * z); }
ACCESS_INLINE float norm3df(float x, float y, float z) { return static_cast<float>(norm3d(x, y, z)); }
ACCESS_INLINE float rnorm3df(float x, float y, float z) { return static_cast<float>(1 / norm3d(x, y, z)); }
ACCESS_INLINE double norm4d(double x, double y, double z, double w) {
  return sqrt(x * x + y * y + z * z + w * w);
}
ACCESS_INLINE float norm4df(float x, float y, float z, float w) {
  return static_cast<float>(norm4d(x, y, z, w));
}
ACCESS_INLINE float rnorm4df(float x, float y, float z, float w) {
  return static_cast<float>(1 / norm4d(x, y, z, w));
}
ACCESS_CALL void sincospi(double x, double* sine, double* cosine) {
  accesses::write(sine, sizeof(double), ACCESS_PLACE);
  *sine = accesses::sineOfPi(x);
  accesses::write(cosine, sizeof(double), ACCESS_PLACE);
  *cosine = accesses::cosineOfPi(x);
}
ACCESS_CALL void sincospif(float x, float* sine, float* cosine) {
  accesses::write(sine, sizeof(float), ACCESS_PLACE);
  *sine = sinpif(x);
  accesses::write(cosine, sizeof(float), ACCESS_PLACE);
  *cosine = cospif(x);
}

// ---- Intrinsics. Those of C's names with __ are declared by the C library, so they keep its linkage.

#if defined(__GLIBC__)
#define ACCESS_FAST extern "C" ACCESS_INLINE
#else
#define ACCESS_FAST ACCESS_INLINE
#endif
ACCESS_FAST float __expf(float x) noexcept { return expf(x); }
ACCESS_FAST float __exp10f(float x) noexcept { return static_cast<float>(pow(10.0, static_cast<double>(x))); }
ACCESS_FAST float __logf(float x) noexcept { return logf(x); }
ACCESS_FAST float __log2f(float x) noexcept { return log2f(x); }
ACCESS_FAST float __log10f(float x) noexcept { return log10f(x); }
ACCESS_FAST float __powf(float x, float y) noexcept { return powf(x, y); }
ACCESS_FAST float __sinf(float x) noexcept { return sinf(x); }
ACCESS_FAST float __cosf(float x) noexcept { return cosf(x); }
ACCESS_FAST float __tanf(float x) noexcept { return tanf(x); }
ACCESS_FAST float __tanhf(float x) noexcept { return tanhf(x); }
#undef ACCESS_FAST
extern "C" ACCESS_CALL void __sincosf(float x, float* sine, float* cosine) noexcept {
  accesses::write(sine, sizeof(float), ACCESS_PLACE);
  *sine = sinf(x);
  accesses::write(cosine, sizeof(float), ACCESS_PLACE);
  *cosine = cosf(x);
}
ACCESS_INLINE float __fdividef(float x, float y) { return x / y; }
ACCESS_INLINE float fdividef(float x, float y) { return x / y; }
ACCESS_INLINE double fdivide(double x, double y) { return x / y; }
ACCESS_INLINE float __saturatef(float x) { return x > 0 ? x < 1 ? x : 1.0f : 0.0f; }

// Rounded to the nearest. (Other directions of rounding: below.)
ACCESS_INLINE float __fadd_rn(float x, float y) { return x + y; }
ACCESS_INLINE float __fsub_rn(float x, float y) { return x - y; }
ACCESS_INLINE float __fmul_rn(float x, float y) { return x * y; }
ACCESS_INLINE float __fdiv_rn(float x, float y) { return x / y; }
ACCESS_INLINE float __fmaf_rn(float x, float y, float z) { return fmaf(x, y, z); }
ACCESS_INLINE float __frcp_rn(float x) { return 1 / x; }
ACCESS_INLINE float __fsqrt_rn(float x) { return sqrtf(x); }
ACCESS_INLINE float __frsqrt_rn(float x) { return rsqrtf(x); }
ACCESS_INLINE double __dadd_rn(double x, double y) { return x + y; }
ACCESS_INLINE double __dsub_rn(double x, double y) { return x - y; }
ACCESS_INLINE double __dmul_rn(double x, double y) { return x * y; }
ACCESS_INLINE double __ddiv_rn(double x, double y) { return x / y; }
ACCESS_INLINE double __fma_rn(double x, double y, double z) { return fma(x, y, z); }
ACCESS_INLINE double __drcp_rn(double x) { return 1 / x; }
ACCESS_INLINE double __dsqrt_rn(double x) { return sqrt(x); }

// CUDA's arithmetic in the other directions of rounding: _rz toward zero, _ru up, _rd down. Computed once in
// the wider type and then moved by one where that was rounded the wrong way.

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
