// A number of MPFR's: a binary fraction of as many bits as are asked for, or an infinity, nan or a signed
// zero. Its exponents reach 2^62, so that nothing that is computed here overflows or underflows.
#pragma once

#include <mpfr.h>

#include <array>
#include <string>
#include <utility>

namespace stridescope::engine {

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

}  // namespace stridescope::engine
