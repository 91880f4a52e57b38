#include "engine/rounding.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <limits>

#include "kernels/run_plan.h"
#include "trace/value.h"

namespace stridescope {
namespace {

template <class T>
long double unitRoundoff() {
  return std::ldexp(1.0L, -std::numeric_limits<T>::digits);
}

template <class T>
long double gammaOf(std::uint64_t k) {
  const long double ku = static_cast<long double>(k) * unitRoundoff<T>();
  return ku < 1 ? ku / (1 - ku) : std::numeric_limits<long double>::infinity();
}

template <class T>
T elementAt(const Experiment& experiment, std::uint64_t i) {
  const std::uint64_t bits = inputElement(experiment, i);
  if constexpr (sizeof(T) == 4)
    return std::bit_cast<T>(std::uint32_t(bits));
  else
    return std::bit_cast<T>(bits);
}

template <class T>
std::string print(const Experiment& experiment, T value) {
  if constexpr (sizeof(T) == 4)
    return printElement(experiment.type, std::bit_cast<std::uint32_t>(value));
  else
    return printElement(experiment.type, std::bit_cast<std::uint64_t>(value));
}

std::string shortly(long double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.3Lg", value);
  return text;
}

// What a plain loop over the input gives.
template <class T>
struct PlainLoop {
  long double value = 0;  // in long double
  bool isExact = true;    // none of its operations rounded
  T inItsType = 0;        // the same loop in T: left to right
  const char* what = "";  // "sum"
};

// So many digits that different values of T differ in them, and some more.
template <class T>
std::string precisely(long double value) {
  char text[48];
  std::snprintf(text, sizeof text, "%.*Lg", std::numeric_limits<T>::max_digits10 + 3, value);
  return text;
}

// "0.00012", or what it is instead of a number.
std::string distance(long double value, long double exact) {
  return std::isfinite(value) ? "off by " + shortly(std::fabs(value - exact)) : "no number that is near";
}

// Equal, or within the bound. Where the order shows, the note sets this tree's against left to right.
template <class T>
Check withinBound(const Experiment& experiment, T result, const PlainLoop<T>& loop, long double bound) {
  const T nearest = T(loop.value);
  Check check{print(experiment, nearest), false, {}};
  check.ok = result == nearest || std::fabs(static_cast<long double>(result) - loop.value) <= bound;
  if (result == nearest && loop.inItsType == nearest) return check;
  check.note = std::string("The ") + (loop.isExact ? "exact " : "") + loop.what + " is " +
               precisely<T>(loop.value) + ". This order is " +
               (result == nearest ? "as near as its type can be" : distance(result, loop.value)) +
               "; rounding allows at most " + shortly(bound) + ". Left to right it would be " +
               (loop.inItsType == nearest
                    ? "as near as its type can be."
                    : print(experiment, loop.inItsType) + ", " + distance(loop.inItsType, loop.value) + ".");
  return check;
}

template <class T>
Check sum(const Experiment& experiment, T result) {
  PlainLoop<T> loop{.what = "sum"};
  long double magnitude = 0;
  for (std::uint64_t i = 0; i < experiment.elements; ++i) {
    const T element = elementAt<T>(experiment, i);
    const long double before = loop.value, after = before + element;
    // Two-sum's error (Knuth, The Art of Computer Programming 2, 4.2.2, theorem B).
    const long double part = after - before;
    loop.isExact = loop.isExact && (before - (after - part)) + (element - part) == 0;
    loop.value = after;
    loop.inItsType += element;
    magnitude += std::fabs(static_cast<long double>(element));
  }
  long double bound = gammaOf<T>(additionDepth(experiment)) * magnitude;
  if (!loop.isExact) bound += gammaOf<long double>(experiment.elements) * magnitude;
  if (magnitude + bound <= static_cast<long double>(std::numeric_limits<T>::max()))
    return withinBound(experiment, result, loop, bound);

  // Partial sums overflow in some order, or the input has infinities.
  const T nearest = T(loop.value);
  Check check{print(experiment, nearest), result == nearest, {}};
  if (check.ok) return check;
  check.ok = !std::isfinite(result) || (std::isfinite(bound) && std::fabs(result - loop.value) <= bound);
  check.note = "Partial sums can overflow to infinity: whether they do may depend on the order.";
  return check;
}

template <class T>
Check product(const Experiment& experiment, T result) {
  long double exact = 1, largestPartial = 1, leastPartial = 1;
  T leftToRight = 1;
  std::uint64_t factors = 0;
  bool hasZero = false;
  for (std::uint64_t i = 0; i < experiment.elements; ++i) {
    const T factor = elementAt<T>(experiment, i);
    const long double element = factor, size = std::fabs(element);
    exact *= element;
    leftToRight *= factor;
    largestPartial *= std::max(1.0L, size);
    if (size > 0) leastPartial *= std::min(1.0L, size);
    factors += size != 1;
    hasZero = hasZero || element == 0;
  }
  if (hasZero) exact = 0;
  const std::uint64_t roundings = factors > 0 ? factors - 1 : 0;
  const long double relative = gammaOf<T>(roundings) + gammaOf<long double>(roundings);
  const bool mayOverflow =
      largestPartial * (1 + relative) > static_cast<long double>(std::numeric_limits<T>::max());
  const bool mayUnderflow = leastPartial < static_cast<long double>(std::numeric_limits<T>::min());
  if (!mayOverflow && (!mayUnderflow || hasZero))
    return withinBound(
        experiment, result,
        PlainLoop<T>{.value = exact, .isExact = roundings == 0, .inItsType = leftToRight, .what = "product"},
        relative * std::fabs(exact));
  if (!mayOverflow) {
    // A partial product that underflows loses an absolute error of half the least number, which the other
    // factors may then enlarge.
    const long double lost = static_cast<long double>(std::numeric_limits<T>::denorm_min()) *
                             static_cast<long double>(roundings) * largestPartial;
    Check check = withinBound(
        experiment, result,
        PlainLoop<T>{.value = exact, .isExact = false, .inItsType = leftToRight, .what = "product"},
        relative * std::fabs(exact) + lost);
    check.note += std::string(check.note.empty() ? "" : " ") + "Partial products can underflow.";
    return check;
  }

  // Partial products overflow in some order, perhaps in all.
  Check check{print(experiment, hasZero ? T(0) : T(exact)), false, {}};
  if (hasZero) {
    check.ok = result == 0 || std::isnan(result);
    check.note =
        "Partial products can overflow, and infinity times zero is no number: the order decides between 0 "
        "and "
        "nan.";
  } else {
    const bool near = std::fabs(static_cast<long double>(result) - exact) <= relative * std::fabs(exact);
    check.ok = std::isinf(result) || near;
    check.note = "The product can overflow to infinity: whether it does may depend on the order.";
  }
  return check;
}

std::uint64_t ceilLog2(std::uint64_t value) {
  return value <= 1 ? 0 : std::uint64_t(std::bit_width(value - 1));
}

// Whether a launch of several blocks gives one value.
bool blocksAreJoined(const Variant& variant) {
  const auto takes = [&](std::string_view name) {
    return std::ranges::find(variant.parameters, name) != variant.parameters.end();
  };
  return variant.finishedOnCpu || takes("total") || takes("finished");
}

}  // namespace

std::uint64_t additionDepth(const Experiment& experiment) {
  const std::uint64_t anyOrder = experiment.elements > 0 ? experiment.elements - 1 : 0;
  const Variant* const variant = findVariant(experiment.variant);
  if (variant == nullptr || experiment.threads == 0) return anyOrder;
  std::uint64_t depth = 0;
  for (const LaunchShape& launch : planRun(*variant, experiment).launches) {
    const std::uint64_t threads = launch.grid * launch.threads;
    // Who strides over packs of 16 bytes may have one more of them than its share of elements, and a rest.
    const std::uint64_t pack = variant->blocksFor != nullptr ? 16 / bytesOf(experiment.type) : 0;
    const std::uint64_t perThread = (launch.elements + threads - 1) / threads + pack;
    depth += std::max<std::uint64_t>({perThread, variant->elementsPerThread, 1}) - 1;  // one after another
    depth += ceilLog2(launch.threads);                                                 // the block's tree
    // What joins the blocks' results within the launch, or on the CPU: any order.
    if (blocksAreJoined(*variant)) depth += launch.grid - 1;
  }
  return std::min(depth, anyOrder);
}

Check checkSum(const Experiment& experiment, float result) { return sum(experiment, result); }
Check checkSum(const Experiment& experiment, double result) { return sum(experiment, result); }
Check checkProduct(const Experiment& experiment, float result) { return product(experiment, result); }
Check checkProduct(const Experiment& experiment, double result) { return product(experiment, result); }

}  // namespace stridescope
