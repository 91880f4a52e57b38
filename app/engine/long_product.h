// A product of doubles in 256 bits, with what its rounding may have changed.
//
// Each of its multiplications is rounded to the nearest, which changes the product by a factor 1 + d, |d| <=
// 2^-256; m of them by a factor within gamma = m 2^-256 / (1 - m 2^-256) of 1 (Higham, lemma 3.1). So the
// exact product P and the number v differ by at most gamma |P| <= gamma / (1 - gamma) |v| < m 2^-254 |v|.
// There is no overflow or underflow to think of: MPFR's exponents go to 2^62, which 2^51 factors do not
// reach.
#pragma once

#include <cstdint>

#include "engine/exact_number.h"

namespace stridescope::engine {

class LongProduct {
 public:
  LongProduct();

  void multiplyBy(double factor);

  struct Value {
    ExactNumber number;
    ExactNumber error;  // the exact product lies within this of `number`; 0: it is the exact one
  };
  // 1 of nothing. With a nan among the factors, or with an infinity and a zero: nan; else with one of them an
  // infinity or a zero; in all cases but nan with the product of the signs, which no order or rounding
  // changes.
  Value value() const;

  // How many factors are neither 1 nor -1: by those alone a multiplication is exact in any type.
  std::uint64_t factors() const { return factors_; }

  // For a product that is finite and not 0: the product of the factors' absolute values above 1, and of those
  // below 1. Between the two lies every partial product in every order. Each within the part factors() *
  // 2^-254 of itself.
  const ExactNumber& large() const { return large_; }
  const ExactNumber& small() const { return small_; }

 private:
  ExactNumber large_, small_;
  std::uint64_t factors_ = 0;
  bool isExact_ = true, isNegative_ = false, hasZero_ = false, hasInfinity_ = false, hasNan_ = false;
};

}  // namespace stridescope::engine
