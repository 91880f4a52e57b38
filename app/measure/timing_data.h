// What is reduced when it is timed, and what must come out. The data are chosen so that every order of
// combining gives the same bits, in floating types too: a timed result is compared exactly.
//
//   integers, + * ^          any bits; sums and products wrap (of products odd numbers, which lose nothing)
//   floating +               whole numbers from -3 (float) or -2^20 (double) to 3 and 2^20, a random walk: no
//                            partial sum of up to 2^32 of them comes near 2^24 or 2^53
//   floating *               1 and -1, and in every period one 2 and one 1/2
//   min, max                 any whole numbers, exact in the type
//   & |                      mostly all ones, mostly zeros
//
// The data repeat after kDataPeriod elements, so that any n is filled and checked quickly.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "base/result.h"
#include "model/arithmetic.h"
#include "model/timing_record.h"

namespace stridescope::measure {

inline constexpr std::uint64_t kDataPeriod = 1ull << 22;

// What a CPU's inputs take together, unless one takes more: who times beside other programs stays small.
inline constexpr std::uint64_t kMaxCpuInputBytes = 1ull << 28;

// Whether there are such data: not for an operator that a person wrote, nor for one whose order matters.
bool isTimed(model::ElementType type, model::Operator op);

// Where an experiment has one block's load, which it begins with: too little to be timed.
inline constexpr std::uint64_t kDefaultTimedElements = 1ull << 24;
// How many elements its reduction is timed with: as many as it has, or kDefaultTimedElements.
std::uint64_t timedElements(const model::Experiment& experiment);

// `count` elements in memory, at most kDataPeriod, from the element `from` on.
std::vector<std::uint8_t> timingData(model::ElementType type, model::Operator op, std::uint64_t count,
                                     std::uint64_t from = 0);

// What n elements of it come to, by a plain loop over one period and its rest, as bits of the type.
std::uint64_t expectedResult(model::ElementType type, model::Operator op, std::uint64_t elements);

// A result for a sentence. An error of ours: "gave 12 instead of 13".
std::string wrongResultText(model::ElementType type, std::uint64_t got, std::uint64_t expected);

// The operators on the C++ types behind the element types: for what is expected, and for what the CPU is
// timed with.

// Wraps in two's complement where integers overflow.
template <class T>
struct AddElements {
  static constexpr T kIdentity = T(0);
  T operator()(T a, T b) const {
    if constexpr (std::is_integral_v<T>)
      return T(std::make_unsigned_t<T>(a) + std::make_unsigned_t<T>(b));
    else
      return a + b;
  }
};
template <class T>
struct MultiplyElements {
  static constexpr T kIdentity = T(1);
  T operator()(T a, T b) const {
    if constexpr (std::is_integral_v<T>)
      return T(std::make_unsigned_t<T>(a) * std::make_unsigned_t<T>(b));
    else
      return a * b;
  }
};
template <class T>
struct MinElements {
  static constexpr T kIdentity =
      std::is_integral_v<T> ? std::numeric_limits<T>::max() : std::numeric_limits<T>::infinity();
  T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T>
struct MaxElements {
  static constexpr T kIdentity =
      std::is_integral_v<T> ? std::numeric_limits<T>::lowest() : -std::numeric_limits<T>::infinity();
  T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T>
struct AndElements {
  static constexpr T kIdentity = T(~T(0));
  T operator()(T a, T b) const { return T(a & b); }
};
template <class T>
struct OrElements {
  static constexpr T kIdentity = T(0);
  T operator()(T a, T b) const { return T(a | b); }
};
template <class T>
struct XorElements {
  static constexpr T kIdentity = T(0);
  T operator()(T a, T b) const { return T(a ^ b); }
};

// Calls visit(functor) with the operator's functor for T; the pair must be offered (isOffered).
template <class T, class Visit>
auto withOperator(model::Operator op, Visit visit) {
  if constexpr (std::is_integral_v<T>) {
    if (op == model::Operator::And) return visit(AndElements<T>{});
    if (op == model::Operator::Or) return visit(OrElements<T>{});
    if (op == model::Operator::Xor) return visit(XorElements<T>{});
  }
  if (op == model::Operator::Multiply) return visit(MultiplyElements<T>{});
  if (op == model::Operator::Min) return visit(MinElements<T>{});
  if (op == model::Operator::Max) return visit(MaxElements<T>{});
  return visit(AddElements<T>{});
}

}  // namespace stridescope::measure
