// The operators on the C++ types behind the element types: for what is expected, and for what the CPU is
// timed with.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "model/arithmetic.h"

namespace stridescope::measure {

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
