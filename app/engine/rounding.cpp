#include "engine/rounding.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "base/numbers.h"
#include "engine/exact_sum.h"
#include "engine/reference.h"
#include "kernels/run_plan.h"
#include "model/arithmetic.h"

namespace stridescope::engine {
namespace {

// Enough for the difference of a double and an exact sum of doubles; bounds need far less.
constexpr mpfr_prec_t kDifferenceBits = 2304, kBoundBits = 128;

template <class T>
T elementAt(const model::Experiment& experiment, std::uint64_t i) {
  return model::elementOfBits<T>(inputElement(experiment, i));
}

template <class T>
std::string print(const model::Experiment& experiment, T value) {
  return model::printElement(experiment.type, model::bitsOfElement(value));
}

// What the elements come to, and how a result of type T is judged by it.
template <class T>
struct Reference {
  const char* what = "";  // "sum"
  ExactNumber exact;
  bool isExact = true;  // else a product that was rounded after some 240 bits
  ExactNumber bound;    // on a finite result's distance from `exact`, where that is finite
  bool canUnderflow = false;
  bool hasWrongSign = false;  // the result, by the header's rules
  T leftToRight = 0;          // a plain loop's in T
};

template <class T>
bool isSame(const model::Experiment& experiment, T a, T b) {
  return model::sameElement(experiment.type, model::bitsOfElement(a), model::bitsOfElement(b));
}

// gamma(k), rounded up; infinity where it is not defined.
template <class T>
ExactNumber gammaOf(std::uint64_t k) {
  ExactNumber gamma(kBoundBits), rest(kBoundBits);
  mpfr_set_uj(gamma.get(), k, MPFR_RNDU);
  mpfr_mul_2si(gamma.get(), gamma.get(), -std::numeric_limits<T>::digits, MPFR_RNDU);
  mpfr_ui_sub(rest.get(), 1, gamma.get(), MPFR_RNDD);
  if (mpfr_sgn(rest.get()) > 0)
    mpfr_div(gamma.get(), gamma.get(), rest.get(), MPFR_RNDU);
  else
    mpfr_set_inf(gamma.get(), 1);
  return gamma;
}

// |value - exact|, rounded towards 0.
template <class T>
ExactNumber distance(T value, const ExactNumber& exact) {
  ExactNumber difference(kDifferenceBits);
  mpfr_set_d(difference.get(), value, MPFR_RNDN);
  mpfr_sub(difference.get(), difference.get(), exact.get(), MPFR_RNDZ);
  mpfr_abs(difference.get(), difference.get(), MPFR_RNDZ);
  return difference;
}

std::string shortly(const ExactNumber& value) { return grouped(value.print(3)); }

// So many digits that different values of T differ in them, and some more.
template <class T>
std::string precisely(const ExactNumber& value) {
  return grouped(value.print(std::numeric_limits<T>::max_digits10 + 3));
}

// "off by 0.00012", or what it is instead of a number.
template <class T>
std::string describeDistance(T value, const ExactNumber& exact) {
  return std::isfinite(value) ? "off by " + shortly(distance(value, exact)) : "no number that is near";
}

// "The exact sum is 16777223"
template <class T>
std::string exactClause(const Reference<T>& reference) {
  return std::string("The ") + (reference.isExact ? "exact " : "") + reference.what + " is " +
         precisely<T>(reference.exact);
}

// "Left to right it would be 16777216, off by 7."
template <class T>
std::string leftToRightSentence(const model::Experiment& experiment, const Reference<T>& reference) {
  const T value = reference.leftToRight;
  return "Left to right it would be " +
         (isSame(experiment, value, reference.exact.template nearest<T>())
              ? "as near as its type can be."
              : grouped(print(experiment, value)) + ", " + describeDistance(value, reference.exact) + ".");
}

template <class T>
Check checkFinite(const model::Experiment& experiment, T result, const Reference<T>& reference) {
  const T nearest = reference.exact.template nearest<T>();
  Check check{print(experiment, nearest), false, {}};
  if (!reference.exact.isFinite()) return check;
  const bool isNearest = isSame(experiment, result, nearest);
  const bool isNear = mpfr_lessequal_p(distance(result, reference.exact).get(), reference.bound.get()) != 0;
  check.ok = isNearest || (isNear && !reference.hasWrongSign);
  if (isNearest && isSame(experiment, reference.leftToRight, nearest)) return check;
  check.note = exactClause(reference) + ". This order is " +
               (isNearest ? "as near as its type can be" : describeDistance(result, reference.exact)) +
               "; rounding allows at most " + shortly(reference.bound) + ". " +
               leftToRightSentence(experiment, reference);
  if (reference.canUnderflow) check.note += " Partial products can underflow.";
  return check;
}

template <class T>
Check checkNotFinite(const model::Experiment& experiment, T result, const Reference<T>& reference) {
  Check check{
      print(experiment, reference.leftToRight), isSame(experiment, result, reference.leftToRight), {}};
  if (!reference.exact.isFinite()) {
    if (!check.ok)
      check.note = std::string("Not all elements are finite, and where a partial ") + reference.what +
                   " overflows before it meets them, the order decides.";
    return check;
  }
  check.note = exactClause(reference);
  if (!std::isfinite(reference.exact.template nearest<T>()))
    check.note += ", beyond the range of " + std::string(model::nameOf(experiment.type));
  if (!check.ok && !mayOverflow(experiment)) {
    check.note += std::string(". In no order does a partial ") + reference.what + " overflow.";
    return check;
  }
  check.note += std::string(". In this order a partial ") + reference.what + " overflows";
  check.note += check.ok ? ", as it does left to right." : ". " + leftToRightSentence(experiment, reference);
  return check;
}

template <class T>
Check check(const model::Experiment& experiment, T result, const Reference<T>& reference) {
  return std::isfinite(result) ? checkFinite(experiment, result, reference)
                               : checkNotFinite(experiment, result, reference);
}

template <class T>
Check sum(const model::Experiment& experiment, T result) {
  ExactSum elements;
  T leftToRight = 0;
  for (std::uint64_t i = 0; i < experiment.elements; ++i) {
    const T element = elementAt<T>(experiment, i);
    elements.add(element);
    leftToRight += element;
  }
  if (elements.isOnlyNegativeZeros() && result == 0)
    return {print(experiment, result), true,
            "A sum of nothing but -0 is -0, and 0 where the identity 0 is added to it: both are right."};
  ExactNumber bound = elements.magnitude();
  if (mpfr_zero_p(bound.get()) == 0)  // infinity times 0 is nan
    mpfr_mul(bound.get(), bound.get(), gammaOf<T>(additionDepth(experiment)).get(), MPFR_RNDU);
  return check<T>(experiment, result,
                  {.what = "sum",
                   .exact = elements.sum(),
                   .bound = std::move(bound),
                   .hasWrongSign = result == 0 && std::signbit(result),
                   .leftToRight = leftToRight});
}

// `lost` of the header, rounded up; 0 where no partial product can underflow. The doubled least numbers make
// up for small() and large() being rounded.
template <class T>
ExactNumber lostByUnderflow(const LongProduct& factors, const ExactNumber& gamma, std::uint64_t roundings) {
  ExactNumber lost(kBoundBits);
  if (mpfr_cmp_d(factors.small().get(), 2 * double(std::numeric_limits<T>::min())) >= 0) return lost;
  mpfr_add_ui(lost.get(), gamma.get(), 1, MPFR_RNDU);
  mpfr_mul(lost.get(), lost.get(), factors.large().get(), MPFR_RNDU);
  mpfr_mul_d(lost.get(), lost.get(), double(std::numeric_limits<T>::denorm_min()), MPFR_RNDU);
  ExactNumber count(64);
  mpfr_set_uj(count.get(), roundings, MPFR_RNDU);
  mpfr_mul(lost.get(), lost.get(), count.get(), MPFR_RNDU);
  return lost;
}

template <class T>
Check product(const model::Experiment& experiment, T result) {
  LongProduct factors;
  T leftToRight = 1;
  for (std::uint64_t i = 0; i < experiment.elements; ++i) {
    const T factor = elementAt<T>(experiment, i);
    factors.multiplyBy(factor);
    leftToRight *= factor;
  }
  LongProduct::Value product = factors.value();
  ExactNumber bound(kBoundBits), lost(kBoundBits);
  if (mpfr_regular_p(product.number.get()) != 0) {  // neither 0 nor infinite nor nan
    const std::uint64_t roundings = factors.factors() > 0 ? factors.factors() - 1 : 0;
    const ExactNumber gamma = gammaOf<T>(roundings);
    lost = lostByUnderflow<T>(factors, gamma, roundings);
    mpfr_abs(bound.get(), product.number.get(), MPFR_RNDU);
    mpfr_add(bound.get(), bound.get(), product.error.get(), MPFR_RNDU);
    mpfr_mul(bound.get(), bound.get(), gamma.get(), MPFR_RNDU);
    mpfr_add(bound.get(), bound.get(), product.error.get(), MPFR_RNDU);
    mpfr_add(bound.get(), bound.get(), lost.get(), MPFR_RNDU);
  }
  const bool isNegative = product.number.isNegative(), isExact = mpfr_zero_p(product.error.get()) != 0;
  return check<T>(experiment, result,
                  {.what = "product",
                   .exact = std::move(product.number),
                   .isExact = isExact,
                   .bound = std::move(bound),
                   .canUnderflow = mpfr_zero_p(lost.get()) == 0,
                   .hasWrongSign = std::signbit(result) != isNegative,
                   .leftToRight = leftToRight});
}

std::uint64_t ceilLog2(std::uint64_t value) {
  return value <= 1 ? 0 : std::uint64_t(std::bit_width(value - 1));
}

}  // namespace

std::uint64_t additionDepth(const model::Experiment& experiment) {
  const std::uint64_t anyOrder = experiment.elements > 0 ? experiment.elements - 1 : 0;
  const model::Kernel* const kernel = kernels::kernelOf(experiment);
  if (kernel == nullptr || experiment.threads == 0) return anyOrder;
  std::uint64_t depth = 0;
  const kernels::RunPlan plan = kernels::planRun(*kernel, experiment);
  for (const kernels::LaunchShape& launch : plan.launches) {
    const std::uint64_t threads = launch.grid.count() * launch.block.count();
    // Who strides over packs of 16 bytes may have one more of them than its share of elements, and a rest.
    const std::uint64_t pack = kernel->launch.strides() ? 16 / model::bytesOf(experiment.type) : 0;
    const std::uint64_t elements = kernel->elementsOfDevice(launch.elements, plan.devices);
    const std::uint64_t perThread = (elements + threads - 1) / threads + pack;
    depth +=
        std::max<std::uint64_t>({perThread, kernel->launch.elementsPerThread, 1}) - 1;  // one after another
    depth += ceilLog2(launch.block.count());                                            // the block's tree
    // What joins the blocks' results within the launch, or on the CPU: any order.
    if (kernel->finishedOnCpu || kernel->joinsBlocks()) depth += launch.grid.count() - 1;
  }
  depth += plan.devices - 1;  // their results, one after another
  return std::min(depth, anyOrder);
}

bool mayOverflow(const model::Experiment& experiment) {
  const bool isSum = experiment.op == model::Operator::Add;
  if (!model::isFloating(experiment.type) || (!isSum && experiment.op != model::Operator::Multiply))
    return false;
  const bool isFloat = experiment.type == model::ElementType::Float;
  // |x| < 2^exponent: a partial product is less than 2 to the sum of these, a partial sum less than the
  // largest times n. Twice that, and sums' ceilLog2(n) more, leave room for rounding.
  long ofProducts = 0, ofSums = std::numeric_limits<long>::min() / 2;
  for (std::uint64_t i = 0; i < experiment.elements; ++i) {
    const double element =
        isFloat ? double(elementAt<float>(experiment, i)) : elementAt<double>(experiment, i);
    if (!std::isfinite(element)) return true;
    int exponent = 0;
    std::frexp(element, &exponent);
    ofProducts += std::max(exponent, 0);
    ofSums = std::max<long>(ofSums, exponent);
  }
  const long bound = isSum ? ofSums + long(ceilLog2(experiment.elements)) : ofProducts;
  return bound + 1 >
         (isFloat ? std::numeric_limits<float>::max_exponent : std::numeric_limits<double>::max_exponent);
}

Check checkSum(const model::Experiment& experiment, float result) { return sum(experiment, result); }
Check checkSum(const model::Experiment& experiment, double result) { return sum(experiment, result); }
Check checkProduct(const model::Experiment& experiment, float result) { return product(experiment, result); }
Check checkProduct(const model::Experiment& experiment, double result) { return product(experiment, result); }

namespace {

using Wide = model::WideInteger;

Wide elementOf(const model::Experiment& experiment, std::uint64_t i) {
  return model::wideOf(experiment.type, inputElement(experiment, i));
}

Wide leastOf(model::ElementType type) {
  return model::withType(type, [](auto zero) { return Wide(std::numeric_limits<decltype(zero)>::lowest()); });
}
Wide greatestOf(model::ElementType type) {
  return model::withType(type, [](auto zero) { return Wide(std::numeric_limits<decltype(zero)>::max()); });
}

Wide exactSum(const model::Experiment& experiment) {
  const bool subtracts = experiment.op == model::Operator::Subtract;
  Wide sum = 0;
  for (std::uint64_t i = 0; i < experiment.elements; ++i) {
    const Wide element = elementOf(experiment, i);
    sum += subtracts && i > 0 ? -element : element;
  }
  return sum;
}

// nullopt: it is beyond 2^127.
std::optional<Wide> exactProduct(const model::Experiment& experiment) {
  Wide product = 1;
  bool tooLarge = false;
  for (std::uint64_t i = 0; i < experiment.elements; ++i) {
    const Wide element = elementOf(experiment, i);
    if (element == 0) return 0;
    tooLarge = tooLarge || __builtin_mul_overflow(product, element, &product);
  }
  return tooLarge ? std::nullopt : std::optional(product);
}

std::string roundedProduct(const model::Experiment& experiment) {
  LongProduct product;
  for (std::uint64_t i = 0; i < experiment.elements; ++i)
    product.multiplyBy(double(elementOf(experiment, i)));
  constexpr int kDigits = 6;
  return product.value().number.print(kDigits);
}

}  // namespace

std::optional<std::string> exactIfWrapped(const model::Experiment& experiment) {
  if (model::isFloating(experiment.type)) return std::nullopt;
  const auto fits = [&](Wide value) {
    return value >= leastOf(experiment.type) && value <= greatestOf(experiment.type);
  };
  switch (experiment.op) {
    case model::Operator::Add:
    case model::Operator::Subtract: {
      const Wide sum = exactSum(experiment);
      return fits(sum) ? std::nullopt : std::optional(model::print(sum));
    }
    case model::Operator::Multiply: {
      const std::optional<Wide> product = exactProduct(experiment);
      if (!product) return roundedProduct(experiment);
      return fits(*product) ? std::nullopt : std::optional(model::print(*product));
    }
    default:
      return std::nullopt;
  }
}

std::string wrappedNote(const model::Experiment& experiment, const std::string& exact,
                        const std::string& wrapped) {
  std::string note = model::wrapClause(experiment.type, experiment.op, exact, wrapped) + ".";
  note.front() = 'T';
  return note;
}

}  // namespace stridescope::engine
