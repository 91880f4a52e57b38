#include "engine/long_product.h"

#include <cmath>

namespace stridescope::engine {
namespace {

constexpr mpfr_prec_t kBits = 256;

}  // namespace

LongProduct::LongProduct() : large_(kBits), small_(kBits) {
  mpfr_set_ui(large_.get(), 1, MPFR_RNDN);
  mpfr_set_ui(small_.get(), 1, MPFR_RNDN);
}

void LongProduct::multiplyBy(double factor) {
  const double size = std::fabs(factor);
  isNegative_ = isNegative_ != std::signbit(factor);
  if (size == 1) return;
  ++factors_;
  hasZero_ = hasZero_ || size == 0;
  hasInfinity_ = hasInfinity_ || std::isinf(size);
  hasNan_ = hasNan_ || std::isnan(size);
  if (hasZero_ || hasInfinity_ || hasNan_) return;  // the others no longer matter
  mpfr_ptr part = (size > 1 ? large_ : small_).get();
  if (mpfr_mul_d(part, part, size, MPFR_RNDN) != 0) isExact_ = false;
}

LongProduct::Value LongProduct::value() const {
  Value value{ExactNumber(kBits), ExactNumber(kBits)};
  mpfr_ptr number = value.number.get(), error = value.error.get();
  if (hasNan_ || (hasZero_ && hasInfinity_)) {
    mpfr_set_nan(number);
    return value;
  }
  if (hasInfinity_) {
    mpfr_set_inf(number, 1);
  } else if (!hasZero_) {
    const bool rounds = mpfr_mul(number, large_.get(), small_.get(), MPFR_RNDN) != 0;
    if (rounds || !isExact_) {
      mpfr_set_ui(error, factors_, MPFR_RNDU);
      mpfr_mul_2si(error, error, 2 - kBits, MPFR_RNDU);
      mpfr_mul(error, error, number, MPFR_RNDU);
    }
  }
  mpfr_setsign(number, number, isNegative_, MPFR_RNDN);
  return value;
}

}  // namespace stridescope::engine
