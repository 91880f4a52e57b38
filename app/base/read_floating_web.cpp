// Emscripten's standard library has no std::from_chars for floating numbers; the C library's functions take
// more than it does.
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/read_floating.h"

namespace stridescope {
namespace {

float parsed(const char* text, char** stop, float) { return std::strtof(text, stop); }
double parsed(const char* text, char** stop, double) { return std::strtod(text, stop); }

// "0x10" is a hexadecimal number for strtod and "0" for from_chars, which leaves the rest.
std::string_view decimalPart(std::string_view text) {
  const std::size_t digits = text.starts_with('-') ? 1 : 0;
  const bool isHexadecimal =
      text.size() > digits + 1 && text[digits] == '0' && (text[digits + 1] == 'x' || text[digits + 1] == 'X');
  return isHexadecimal ? text.substr(0, digits + 1) : text;
}

// Whether a digit other than 0 stands before the exponent.
bool isNonzero(std::string_view text) {
  return text.substr(0, text.find_first_of("eE")).find_first_of("123456789") != text.npos;
}

template <class Number>
std::from_chars_result read(const char* begin, const char* end, Number& value) {
  const std::string_view text = decimalPart({begin, std::size_t(end - begin)});
  if (text.empty() || text.front() == '+' || std::isspace(static_cast<unsigned char>(text.front())) != 0)
    return {begin, std::errc::invalid_argument};
  const std::string whole(text);
  char* stop = nullptr;
  const Number number = parsed(whole.c_str(), &stop, Number{});
  const std::size_t taken = std::size_t(stop - whole.c_str());
  if (taken == 0) return {begin, std::errc::invalid_argument};
  const bool isWord = text.substr(0, taken).find_first_of("iInN") != text.npos;
  const bool isLost = std::isinf(number) || (number == 0 && isNonzero(text.substr(0, taken)));
  if (!isWord && isLost) return {begin + taken, std::errc::result_out_of_range};
  value = number;
  return {begin + taken, std::errc()};
}

}  // namespace

std::from_chars_result readFloating(const char* begin, const char* end, float& value) {
  return read(begin, end, value);
}

std::from_chars_result readFloating(const char* begin, const char* end, double& value) {
  return read(begin, end, value);
}

}  // namespace stridescope
