#include "engine/exact_sum.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace stridescope::engine {
namespace {

constexpr unsigned kSignificandBits = 52;  // that a double stores
constexpr std::uint64_t kExponents = 1 << 11;
// The least bit of the least double is 2^-1074; a sum of 2^64 doubles stays below 2^(1024 + 64).
constexpr mpfr_prec_t kExactBits = 1074 + 1024 + 64;
constexpr mpfr_prec_t kBucketBits = 128;

}  // namespace

ExactSum::ExactSum() : bySignAndExponent_(2 * kExponents) {}

void ExactSum::add(double element) {
  ++count_;
  const auto bits = std::bit_cast<std::uint64_t>(element);
  if (!std::isfinite(element)) {
    hasNan_ = hasNan_ || std::isnan(element);
    if (std::isinf(element)) (element > 0 ? hasInfinity_ : hasNegativeInfinity_) = true;
    return;
  }
  const std::uint64_t bucket = bits >> kSignificandBits;
  const std::uint64_t leadingBit = bucket % kExponents != 0 ? 1ull << kSignificandBits : 0;
  bySignAndExponent_[bucket] += (bits & ((1ull << kSignificandBits) - 1)) | leadingBit;
  negativeZeros_ += bits == 1ull << 63;
}

ExactNumber ExactSum::total(bool withSigns) const {
  ExactNumber sum(kExactBits);
  if (hasNan_ || (withSigns && hasInfinity_ && hasNegativeInfinity_)) {
    mpfr_set_nan(sum.get());
    return sum;
  }
  if (hasInfinity_ || hasNegativeInfinity_) {
    mpfr_set_inf(sum.get(), withSigns && hasNegativeInfinity_ ? -1 : 1);
    return sum;
  }
  std::vector<ExactNumber> terms;
  for (std::uint64_t bucket = 0; bucket < bySignAndExponent_.size(); ++bucket) {
    const Significands significands = bySignAndExponent_[bucket];
    if (significands == 0) continue;
    // A denormal's exponent is that of the least normal number.
    const auto exponent = long(std::max<std::uint64_t>(bucket % kExponents, 1));
    mpfr_ptr term = terms.emplace_back(kBucketBits).get();
    ExactNumber low(64);
    mpfr_set_uj(low.get(), std::uint64_t(significands), MPFR_RNDN);
    mpfr_set_uj_2exp(term, std::uint64_t(significands >> 64), 64, MPFR_RNDN);
    mpfr_add(term, term, low.get(), MPFR_RNDN);
    mpfr_mul_2si(term, term, exponent - 1075, MPFR_RNDN);
    if (withSigns && bucket >= kExponents) mpfr_neg(term, term, MPFR_RNDN);
  }
  std::vector<mpfr_ptr> pointers;
  for (ExactNumber& term : terms) pointers.push_back(term.get());
  mpfr_sum(sum.get(), pointers.data(), pointers.size(), MPFR_RNDN);
  if (withSigns && isOnlyNegativeZeros()) mpfr_set_zero(sum.get(), -1);
  return sum;
}

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
      mpfr_set_uj(error, factors_, MPFR_RNDU);
      mpfr_mul_2si(error, error, 2 - kBits, MPFR_RNDU);
      mpfr_mul(error, error, number, MPFR_RNDU);
    }
  }
  mpfr_setsign(number, number, isNegative_, MPFR_RNDN);
  return value;
}

}  // namespace stridescope::engine
