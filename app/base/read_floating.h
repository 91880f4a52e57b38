// std::from_chars, for floating numbers, too: not every standard library has it for those.
#pragma once

#include <charconv>
#include <type_traits>

namespace stridescope {

// As std::from_chars has it: decimal, infinities and nan, no blanks and no + at the beginning. Where the
// number is out of range, `value` stays as it is.
std::from_chars_result readFloating(const char* begin, const char* end, float& value);
std::from_chars_result readFloating(const char* begin, const char* end, double& value);

// The same for any number of the program's.
template <class Number>
std::from_chars_result readNumber(const char* begin, const char* end, Number& value) {
  if constexpr (std::is_floating_point_v<Number>)
    return readFloating(begin, end, value);
  else
    return std::from_chars(begin, end, value);
}

}  // namespace stridescope
