#include "base/numbers.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>

using namespace stridescope;

namespace {

constexpr std::string_view kThinSpace = "\u202f";
constexpr std::size_t kGroupedFrom = 5;  // digits

std::string fixed(double value, int decimals) { return grouped(decimalText(value, decimals)); }

std::string withUnit(const std::string& number, std::string_view unit) {
  return number == kNoNumber ? number : number + std::string(unit);
}

}  // namespace

std::string stridescope::figure(std::uint64_t number) { return grouped(std::to_string(number)); }

std::string stridescope::grouped(std::string_view printed) {
  const std::size_t sign = printed.starts_with('-') ? 1 : 0;
  const std::string_view digits = printed.substr(sign);
  const bool plain = std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; });
  std::string text(printed);
  if (!plain || digits.size() < kGroupedFrom) return text;
  for (std::size_t at = text.size(); at > sign + 3;) text.insert(at -= 3, kThinSpace);
  return text;
}

std::string stridescope::decimalText(double number, int decimals) {
  if (!std::isfinite(number)) return std::string(kNoNumber);
  std::array<char, 400> text{};  // the greatest double has 309 digits
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed, decimals);
  return {text.data(), end.ptr};
}

std::string stridescope::roundedFigure(double number) {
  if (!std::isfinite(number)) return std::string(kNoNumber);
  constexpr double kEnd = 18446744073709551616.0;  // 2^64
  const double whole = std::round(std::max(0.0, number));
  return whole < kEnd ? figure(std::uint64_t(whole)) : fixed(whole, 0);
}

std::string stridescope::sizeText(std::uint64_t elements) {
  if (elements >= 1024 && std::has_single_bit(elements))
    return "2^" + std::to_string(std::countr_zero(elements));
  return figure(elements);
}

std::string stridescope::microsecondsText(double microseconds) {
  return fixed(microseconds, microseconds >= 999.5    ? 0
                             : microseconds >= 9.995  ? 1
                             : microseconds >= 0.9995 ? 2
                                                      : 3);
}

std::string stridescope::timeText(double microseconds) {
  if (microseconds >= 999'500) return withUnit(microsecondsText(microseconds / 1e6), " s");
  if (microseconds >= 999.5) return withUnit(microsecondsText(microseconds / 1e3), " ms");
  return withUnit(microsecondsText(microseconds), " µs");
}

std::string stridescope::gigabytesText(double gigabytes) {
  return fixed(gigabytes, gigabytes >= 99.95 ? 0 : 1);
}

std::string stridescope::factorText(double times) {
  return fixed(times, times >= 99.95 ? 0 : times >= 9.995 ? 1 : 2);
}

std::string stridescope::percentText(double share) {
  return withUnit(fixed(share * 100, share >= 0.0995 ? 0 : 1), " %");
}
