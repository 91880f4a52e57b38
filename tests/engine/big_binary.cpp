#include "big_binary.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace stridescope::test {

BigBinary::BigBinary(std::uint64_t value) : digits_{std::uint32_t(value), std::uint32_t(value >> 32)} {
  trim();
}

BigBinary::BigBinary(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const long field = long(bits >> 52) & 0x7ff;
  *this = BigBinary(std::uint64_t((bits & ((1ull << 52) - 1)) | (field > 0 ? 1ull << 52 : 0)));
  exponent_ = std::max(field, 1l) - 1075;
  negative_ = bits >> 63 != 0;
}

void BigBinary::trim() {
  while (!digits_.empty() && digits_.back() == 0) digits_.pop_back();
}

void BigBinary::shiftLeft(long bits) {
  std::vector<std::uint32_t> shifted(std::size_t(bits / 32), 0);
  std::uint64_t carry = 0;
  for (const std::uint32_t digit : digits_) {
    carry |= std::uint64_t(digit) << (bits % 32);
    shifted.push_back(std::uint32_t(carry));
    carry >>= 32;
  }
  shifted.push_back(std::uint32_t(carry));
  digits_ = std::move(shifted);
  trim();
}

long BigBinary::bitCount() const {
  return isZero() ? 0 : long(digits_.size()) * 32 - std::countl_zero(digits_.back());
}

bool BigBinary::bit(long index) const {
  const auto digit = std::size_t(index / 32);
  return index >= 0 && digit < digits_.size() && (digits_[digit] >> (index % 32) & 1) != 0;
}

BigBinary BigBinary::negated() const {
  BigBinary result = *this;
  result.negative_ = !negative_;
  return result;
}

BigBinary BigBinary::magnitude() const { return isNegative() ? negated() : *this; }

BigBinary BigBinary::timesPowerOfTwo(long power) const {
  BigBinary result = *this;
  result.exponent_ += power;
  return result;
}

BigBinary operator*(const BigBinary& a, const BigBinary& b) {
  BigBinary result;
  result.digits_.assign(a.digits_.size() + b.digits_.size(), 0);
  for (std::size_t i = 0; i < a.digits_.size(); ++i) {
    std::uint64_t carry = 0;
    for (std::size_t j = 0; j < b.digits_.size() || carry > 0; ++j) {
      carry += result.digits_[i + j];
      if (j < b.digits_.size()) carry += std::uint64_t(a.digits_[i]) * b.digits_[j];
      result.digits_[i + j] = std::uint32_t(carry);
      carry >>= 32;
    }
  }
  result.exponent_ = a.exponent_ + b.exponent_;
  result.negative_ = a.negative_ != b.negative_;
  result.trim();
  return result;
}

BigBinary operator+(const BigBinary& a, const BigBinary& b) {
  if (a.isZero()) return b;
  if (b.isZero()) return a;
  BigBinary x = a, y = b;
  const long exponent = std::min(x.exponent_, y.exponent_);
  x.shiftLeft(x.exponent_ - exponent);
  y.shiftLeft(y.exponent_ - exponent);
  x.exponent_ = y.exponent_ = exponent;
  const std::size_t size = std::max(x.digits_.size(), y.digits_.size()) + 1;
  x.digits_.resize(size);
  y.digits_.resize(size);
  if (x.negative_ != y.negative_ && std::lexicographical_compare(x.digits_.rbegin(), x.digits_.rend(),
                                                                 y.digits_.rbegin(), y.digits_.rend()))
    std::swap(x, y);  // the longer one first: its sign is the sum's
  std::int64_t carry = 0;
  for (std::size_t i = 0; i < size; ++i) {
    carry += x.digits_[i];
    carry += x.negative_ == y.negative_ ? std::int64_t(y.digits_[i]) : -std::int64_t(y.digits_[i]);
    x.digits_[i] = std::uint32_t(carry);
    carry >>= 32;
  }
  x.trim();
  return x;
}

double BigBinary::nearest(int significantBits, long leastExponent, long endExponent) const {
  if (isZero()) return 0;
  // The unit in the last place, as a power of two, and how many of the digits' bits lie below it.
  const long unit = std::max(exponent_ + bitCount() - significantBits, leastExponent);
  const long below = unit - exponent_;
  std::uint64_t kept = 0;
  for (long i = bitCount() - 1; i >= std::max(below, 0l); --i) kept = kept << 1 | bit(i);
  if (below < 0) kept <<= -below;
  bool half = bit(below - 1), more = false;
  for (long i = 0; i < below - 1; ++i) more = more || bit(i);
  if (half && (more || (kept & 1) != 0)) ++kept;
  const double sign = negative_ ? -1 : 1;
  if (long(std::bit_width(kept)) + unit > endExponent) return sign * std::numeric_limits<double>::infinity();
  return sign * std::ldexp(double(kept), int(unit));
}

}  // namespace stridescope::test
