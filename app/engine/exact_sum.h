// Exact sums and products, as far as MPFR's numbers hold them.
#pragma once

#include <array>
#include <cstdint>

// Functions for whole numbers of 64 bits: those of unsigned long take 32 where pointers have 32.
#define MPFR_USE_INTMAX_T
#include <mpfr.h>

#include <string>
#include <utility>
#include <vector>

namespace stridescope::engine {

// A number of MPFR's: a binary fraction of as many bits as are asked for, or an infinity, nan or a signed
// zero. Its exponents reach 2^62, so that nothing that is computed here overflows or underflows.

class ExactNumber {
 public:
  explicit ExactNumber(mpfr_prec_t bits) {  // +0
    mpfr_init2(value_, bits);
    mpfr_set_zero(value_, 1);
    freeCachesAtThreadEnd();
  }
  ExactNumber(const ExactNumber&) = delete;
  ExactNumber& operator=(const ExactNumber&) = delete;
  ExactNumber(ExactNumber&& other) noexcept : ExactNumber(MPFR_PREC_MIN) { swap(other); }
  ExactNumber& operator=(ExactNumber&& other) noexcept {
    swap(other);
    return *this;
  }
  ~ExactNumber() { mpfr_clear(value_); }

  // MPFR's functions take these.
  mpfr_ptr get() { return value_; }
  mpfr_srcptr get() const { return value_; }

  bool isFinite() const { return mpfr_number_p(value_) != 0; }
  bool isNegative() const { return mpfr_signbit(value_) != 0; }  // -0 is

  // The nearest value of T, ties to even; beyond its range an infinity.
  template <class T>
  T nearest() const {
    if constexpr (sizeof(T) == sizeof(float))
      return mpfr_get_flt(value_, MPFR_RNDN);
    else
      return mpfr_get_d(value_, MPFR_RNDN);
  }

  // Prints as printf's %g does, with so many significant digits.
  std::string print(int digits) const {
    std::array<char, 128> text{};
    mpfr_snprintf(text.data(), text.size(), "%.*Rg", digits, get());
    return text.data();
  }

 private:
  // MPFR keeps memory for each thread that computes with it, and frees it when it is told to.
  static void freeCachesAtThreadEnd() {
    struct Caches {
      ~Caches() { mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE); }
    };
    static thread_local const Caches caches;
    (void)caches;
  }
  void swap(ExactNumber& other) noexcept { mpfr_swap(value_, other.value_); }

  mpfr_t value_;
};

// The exact sum of any number of doubles, by MPFR's mpfr_sum (Lefèvre, Correctly Rounded Arbitrary-Precision
// Floating-Point Summation, IEEE Transactions on Computers 66, 2017).
//
// 2^24 MPFR numbers would take a gigabyte. So the elements' significands, integers below 2^53, are first
// added up exactly for each sign and exponent, in 128 bits, which 2^64 of them do not fill. What mpfr_sum
// then gets is a number for each exponent that occurs: at most 4094, 64 KiB before and about 300 KiB while it
// runs.

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

// A product of doubles in 256 bits, with what its rounding may have changed.
//
// Each of its multiplications is rounded to the nearest, which changes the product by a factor 1 + d, |d| <=
// 2^-256; m of them by a factor within gamma = m 2^-256 / (1 - m 2^-256) of 1 (Higham, lemma 3.1). So the
// exact product P and the number v differ by at most gamma |P| <= gamma / (1 - gamma) |v| < m 2^-254 |v|.
// There is no overflow or underflow to think of: MPFR's exponents go to 2^62, which 2^51 factors do not
// reach.

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
