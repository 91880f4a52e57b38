#include "model/arithmetic.h"

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <type_traits>

#include "model/value.h"

namespace stridescope::model {
namespace {

template <class T>
T combineFloating(Operator op, T a, T b) {
  switch (op) {
    case Operator::Add:
      return a + b;
    case Operator::Multiply:
      return a * b;
    case Operator::Subtract:
      return a - b;
    case Operator::Min:
      return b < a ? b : a;
    case Operator::Max:
      return a < b ? b : a;
    default:
      return a;
  }
}

// Unsigned arithmetic, so that overflow wraps.
template <class T>
T combineIntegers(Operator op, T left, T right) {
  using Wrapping = std::make_unsigned_t<T>;
  const auto a = Wrapping(left), b = Wrapping(right);
  switch (op) {
    case Operator::Add:
      return T(a + b);
    case Operator::Multiply:
      return T(a * b);
    case Operator::Subtract:
      return T(a - b);
    case Operator::And:
      return T(a & b);
    case Operator::Or:
      return T(a | b);
    case Operator::Xor:
      return T(a ^ b);
    case Operator::Min:
      return right < left ? right : left;
    case Operator::Max:
      return left < right ? right : left;
    case Operator::Custom:
      break;
  }
  return left;
}

template <class T>
std::string shortest(T value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  std::array<char, 40> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return {text.data(), end};
}

}  // namespace

std::uint64_t combineBits(ElementType type, Operator op, std::uint64_t a, std::uint64_t b) {
  return withType(type, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_floating_point_v<T>)
      return bitsOfElement(combineFloating(op, elementOfBits<T>(a), elementOfBits<T>(b)));
    else
      return bitsOfElement(combineIntegers(op, elementOfBits<T>(a), elementOfBits<T>(b)));
  });
}

bool isNan(ElementType type, std::uint64_t bits) {
  return withType(type, [&](auto zero) {
    if constexpr (std::is_floating_point_v<decltype(zero)>)
      return std::isnan(elementOfBits<decltype(zero)>(bits));
    else
      return false;
  });
}

bool sameElement(ElementType type, std::uint64_t a, std::uint64_t b) {
  return a == b || (isNan(type, a) && isNan(type, b));
}

std::string printElement(ElementType type, std::uint64_t bits) {
  return withType(type, [&](auto zero) {
    const auto value = elementOfBits<decltype(zero)>(bits);
    if constexpr (std::is_floating_point_v<decltype(zero)>)
      return shortest(value);
    else
      return std::to_string(value);
  });
}

std::optional<std::uint64_t> readPrintedElement(ElementType type, std::string_view text) {
  return withType(type, [&](auto zero) -> std::optional<std::uint64_t> {
    using T = decltype(zero);
    if constexpr (std::is_floating_point_v<T>)
      if (text == "nan") return bitsOfElement(std::numeric_limits<T>::quiet_NaN());
    T value{};
    const char* const end = text.data() + text.size();
    const auto [stop, fault] = std::from_chars(text.data(), end, value);
    if (fault != std::errc() || stop != end) return std::nullopt;
    const std::uint64_t bits = bitsOfElement(value);
    return printElement(type, bits) == text ? std::optional(bits) : std::nullopt;
  });
}

}  // namespace stridescope::model
