#include "model/arithmetic.h"

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>

#include "base/numbers.h"
#include "base/read_floating.h"
#include "model/operator_table.h"

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
    const auto [stop, fault] = readNumber(text.data(), end, value);
    if (fault != std::errc() || stop != end) return std::nullopt;
    const std::uint64_t bits = bitsOfElement(value);
    return printElement(type, bits) == text ? std::optional(bits) : std::nullopt;
  });
}

namespace {

template <class T>
T smallestOf() {
  if constexpr (std::is_floating_point_v<T>) return -std::numeric_limits<T>::infinity();
  return std::numeric_limits<T>::min();
}
template <class T>
T largestOf() {
  if constexpr (std::is_floating_point_v<T>) return std::numeric_limits<T>::infinity();
  return std::numeric_limits<T>::max();
}

template <class T>
T identityValue(Operator op) {
  switch (factsOf(op).identity) {
    case IdentityKind::One:
      return T(1);
    case IdentityKind::Largest:
      return largestOf<T>();
    case IdentityKind::Smallest:
      return smallestOf<T>();
    case IdentityKind::AllBits:
      if constexpr (std::is_integral_v<T>) return T(~T(0));
      return T(0);
    default:
      return T(0);
  }
}

}  // namespace

std::uint64_t identityBits(ElementType type, Operator op) {
  return withType(type, [&](auto zero) { return bitsOfElement(identityValue<decltype(zero)>(op)); });
}

constexpr std::string_view kWraps = " wraps: exact ";

WideInteger wideOf(ElementType type, std::uint64_t bits) {
  return withType(type, [&](auto zero) { return WideInteger(elementOfBits<decltype(zero)>(bits)); });
}

std::string print(WideInteger value) {
  std::string digits;
  const bool negative = value < 0;
  do {
    const int digit = int(value % 10);
    digits += char('0' + (negative ? -digit : digit));
    value /= 10;
  } while (value != 0);
  if (negative) digits += '-';
  return {digits.rbegin(), digits.rend()};
}

std::string wrapClause(ElementType type, Operator op, std::string_view exact, std::string_view wrapped) {
  std::string clause = "the " + std::string(factsOf(op).noun);
  clause += kWraps;
  return clause + grouped(exact) + ", wrapped to " + grouped(wrapped) + " in " +
         std::to_string(8 * bytesOf(type)) + " bits";
}

bool tellsOfAWrap(std::string_view checkNote) { return checkNote.find(kWraps) != std::string_view::npos; }

}  // namespace stridescope::model
