// Binary fractions of any length in integer arithmetic by hand: what exact sums and products are held
// against. It shares nothing with the program, which uses MPFR.
#pragma once

#include <cstdint>
#include <vector>

namespace stridescope::test {

// (-1)^negative * digits * 2^exponent
class BigBinary {
 public:
  BigBinary() = default;             // 0
  explicit BigBinary(double value);  // finite
  explicit BigBinary(std::uint64_t value);

  friend BigBinary operator+(const BigBinary& a, const BigBinary& b);
  friend BigBinary operator-(const BigBinary& a, const BigBinary& b) { return a + b.negated(); }
  friend BigBinary operator*(const BigBinary& a, const BigBinary& b);
  friend bool operator<=(const BigBinary& a, const BigBinary& b) { return !(b - a).isNegative(); }

  BigBinary negated() const;
  BigBinary magnitude() const;
  BigBinary timesPowerOfTwo(long power) const;
  bool isZero() const { return digits_.empty(); }
  bool isNegative() const { return negative_ && !isZero(); }

  // The nearest, ties to even; 0 is +0, and what is beyond the range an infinity.
  double nearestDouble() const { return nearest(53, -1074, 1024); }
  float nearestFloat() const { return float(nearest(24, -149, 128)); }

 private:
  double nearest(int significantBits, long leastExponent, long endExponent) const;
  void shiftLeft(long bits);  // the digits alone
  long bitCount() const;
  bool bit(long index) const;
  void trim();

  std::vector<std::uint32_t> digits_;  // the lowest first; the last one is not 0
  long exponent_ = 0;
  bool negative_ = false;
};

}  // namespace stridescope::test
