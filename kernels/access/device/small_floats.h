// The two formats of 16 bits, as integers: how a double becomes one, rounded once, and back. IEEE 754
// binary16 has 10 bits of fraction and 5 of exponent, bfloat16 has 7 and 8.
#pragma once

#include "core.h"
#include "floats.h"

namespace accesses {

enum class Rounding { Nearest, Zero, Up, Down };

template <int kFraction, int kExponent>
struct SmallFloat {
  static constexpr int kBias = (1 << (kExponent - 1)) - 1;
  static constexpr U32 kInfinity = ((1u << kExponent) - 1) << kFraction;
  static constexpr unsigned short kNan = 0x7fff;  // as CUDA's conversions give it

  ACCESS_INLINE static constexpr unsigned short narrow(double value, Rounding way = Rounding::Nearest) {
    const U64 bits = __builtin_bit_cast(U64, value);
    const U32 sign = static_cast<U32>(bits >> 63);
    const int exponent = static_cast<int>(bits >> 52 & 0x7ff) - 1023;
    if (value != value) return kNan;
    if (exponent == -1023 && (bits << 12) == 0) return static_cast<unsigned short>(sign << 15);
    if (exponent == 1024) return static_cast<unsigned short>(sign << 15 | kInfinity);

    // The fraction's bits that stay, those that go, and whether the value goes away from zero for them.
    const U64 significand = (bits & 0xfffffffffffffull) | 1ull << 52;
    const int below = exponent < 1 - kBias ? 1 - kBias - exponent : 0;  // a subnormal keeps fewer bits
    const int shift = 52 - kFraction + below < 62 ? 52 - kFraction + below : 62;
    const U64 kept = significand >> shift, lost = significand & ((1ull << shift) - 1);
    const U64 half = 1ull << (shift - 1);
    const bool away = way == Rounding::Nearest ? lost > half || (lost == half && (kept & 1) != 0)
                      : way == Rounding::Zero  ? false
                                               : lost != 0 && (sign == 0) == (way == Rounding::Up);

    // A carry out of the fraction runs into the exponent, as it must.
    const U64 base = below > 0 ? 0 : static_cast<U64>(exponent + kBias - 1) << kFraction;
    U64 result = base + kept + (away ? 1 : 0);
    if (result >= kInfinity) {
      const bool stays =
          way == Rounding::Zero || (way == Rounding::Up && sign != 0) || (way == Rounding::Down && sign == 0);
      result = stays ? kInfinity - 1 : kInfinity;
    }
    return static_cast<unsigned short>(sign << 15 | result);
  }

  ACCESS_INLINE static constexpr double widen(unsigned short bits) {
    const U64 sign = static_cast<U64>(bits >> 15) << 63;
    const U32 exponent = bits >> kFraction & ((1u << kExponent) - 1),
              fraction = bits & ((1u << kFraction) - 1);
    if (exponent == 0) {
      double unit = 1;  // of a subnormal: 2 to the power 1 - kBias - kFraction
      unit = __builtin_bit_cast(double, static_cast<U64>(1 - kBias - kFraction + 1023) << 52);
      const double size = fraction * unit;
      return sign != 0 ? -size : size;
    }
    const bool special = exponent == (1u << kExponent) - 1;
    const U64 wide = special ? 0x7ff : exponent - static_cast<U32>(kBias) + 1023;
    return __builtin_bit_cast(double, sign | wide << 52 | static_cast<U64>(fraction) << (52 - kFraction));
  }
};

// a*b + c for values of 16 bits, such that one more rounding to 16 bits gives what rounding the exact value
// would: where the double is not exact, its last bit is made odd ("round to odd"), so that no tie is
// pretended.
ACCESS_INLINE double fusedToOdd(double a, double b, double c) {
  const double product = a * b, sum = product + c, error = errorOfSum(product, c);
  const U64 bits = __builtin_bit_cast(U64, sum);
  const bool exact = !(error < 0 || error > 0);  // also where the sum is infinite
  if (exact || (bits & 1) != 0) return sum;
  return __builtin_bit_cast(double, (error > 0) == (sum > 0) ? bits + 1 : bits - 1);
}

}  // namespace accesses
