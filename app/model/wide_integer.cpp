#include "model/wide_integer.h"

#include "base/numbers.h"
#include "model/arithmetic.h"
#include "model/operator_table.h"

namespace stridescope::model {

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
