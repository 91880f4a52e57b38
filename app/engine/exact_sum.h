// The exact sum of any number of doubles, by MPFR's mpfr_sum (Lefèvre, Correctly Rounded Arbitrary-Precision
// Floating-Point Summation, IEEE Transactions on Computers 66, 2017).
//
// 2^24 MPFR numbers would take a gigabyte. So the elements' significands, integers below 2^53, are first
// added up exactly for each sign and exponent, in 128 bits, which 2^64 of them do not fill. What mpfr_sum
// then gets is a number for each exponent that occurs: at most 4094, 64 KiB before and about 300 KiB while it
// runs.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/exact_number.h"

namespace stridescope::engine {

class ExactSum {
 public:
  ExactSum();

  void add(double element);

  // Exact: 0 of nothing, -0 of nothing but -0, else +0 where the elements cancel out, as IEEE 754's additions
  // give them. With an infinity among the elements that one; nan with both, or with a nan.
  ExactNumber sum() const { return total(true); }
  // The sum of the elements' absolute values. Exact.
  ExactNumber magnitude() const { return total(false); }

  bool isOnlyNegativeZeros() const { return count_ > 0 && negativeZeros_ == count_; }

 private:
  ExactNumber total(bool withSigns) const;

  __extension__ using Significands = unsigned __int128;
  std::vector<Significands> bySignAndExponent_;  // index: a double's upper twelve bits
  std::uint64_t count_ = 0, negativeZeros_ = 0;
  bool hasNan_ = false, hasInfinity_ = false, hasNegativeInfinity_ = false;
};

}  // namespace stridescope::engine
