#include "base/numbers.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

using namespace stridescope;

namespace {

constexpr std::string_view kThinSpace = "\u202f";
constexpr std::size_t kGroupedFrom = 5;  // digits

bool areDigits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

std::string withUnit(const std::string& number, std::string_view unit) {
  return number == kNoNumber ? number : number + std::string(unit);
}

// `more`: decimals beside the usual ones.
std::string microsecondsWith(double microseconds, int more) {
  return decimalText(microseconds, more + (microseconds >= 999.5    ? 0
                                           : microseconds >= 9.995  ? 1
                                           : microseconds >= 0.9995 ? 2
                                                                    : 3));
}

std::string timeWith(double microseconds, int more) {
  if (microseconds >= 999'500) return withUnit(microsecondsWith(microseconds / 1e6, more), " s");
  if (microseconds >= 999.5) return withUnit(microsecondsWith(microseconds / 1e3, more), " ms");
  return withUnit(microsecondsWith(microseconds, more), " µs");
}

}  // namespace

std::string stridescope::figure(std::uint64_t number) { return grouped(std::to_string(number)); }

std::string stridescope::grouped(std::string_view printed) {
  const std::size_t sign = printed.starts_with('-') ? 1 : 0;
  const std::size_t end = std::min(printed.find('.'), printed.size());
  std::string text(printed);
  const bool isNumber = areDigits(printed.substr(sign, end - sign)) &&
                        (end == printed.size() || areDigits(printed.substr(end + 1)));
  if (!isNumber || end - sign < kGroupedFrom) return text;
  for (std::size_t at = end; at > sign + 3;) text.insert(at -= 3, kThinSpace);
  return text;
}

std::string stridescope::decimalText(double number, int decimals) {
  if (!std::isfinite(number)) return std::string(kNoNumber);
  std::array<char, 400> text{};  // the greatest double has 309 digits
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed, decimals);
  return grouped({text.data(), end.ptr});
}

std::string stridescope::roundedFigure(double number) {
  if (!std::isfinite(number)) return std::string(kNoNumber);
  constexpr double kEnd = 18446744073709551616.0;  // 2^64
  const double whole = std::round(std::max(0.0, number));
  return whole < kEnd ? figure(std::uint64_t(whole)) : decimalText(whole, 0);
}

std::string stridescope::sizeText(std::uint64_t elements) {
  if (elements >= 1024 && std::has_single_bit(elements))
    return "2^" + std::to_string(std::countr_zero(elements));
  return figure(elements);
}

std::string stridescope::microsecondsText(double microseconds) { return microsecondsWith(microseconds, 0); }

std::string stridescope::timeText(double microseconds) { return timeWith(microseconds, 0); }

std::array<std::string, 2> stridescope::timesText(double first, double second) {
  constexpr int kMostMore = 3;
  for (int more = 0; more <= kMostMore; ++more) {
    std::array<std::string, 2> texts{timeWith(first, more), timeWith(second, more)};
    if (texts[0] != texts[1]) return texts;
  }
  return {timeText(first), timeText(second)};
}

std::string stridescope::gigabytesText(double gigabytes) {
  return decimalText(gigabytes, gigabytes >= 99.95 ? 0 : 1);
}

std::string stridescope::factorText(double times) {
  return decimalText(times, times >= 99.95 ? 0 : times >= 9.995 ? 1 : 2);
}

std::string stridescope::percentText(double share) {
  return withUnit(decimalText(share * 100, share >= 0.0995 ? 0 : 1), " %");
}

using namespace stridescope;

namespace {

using Number = std::optional<std::uint64_t>;

constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();
constexpr std::size_t kGroup = 3;  // digits
constexpr std::size_t kMaxCountBytes = 256;

// Characters that mean a blank, a circumflex or a raised digit: dead keys, and texts that are copied, have
// them.
constexpr std::array<std::pair<std::string_view, char>, 7> kSameAs{{{"\u00a0", ' '},    // no-break
                                                                    {"\u2007", ' '},    // as wide as a digit
                                                                    {"\u2009", ' '},    // thin
                                                                    {"\u202f", ' '},    // narrow, no-break
                                                                    {"\t", ' '},        //
                                                                    {"\u02c6", '^'},    // modifier letter
                                                                    {"\uff3e", '^'}}};  // full width
constexpr std::array<std::string_view, 10> kRaised{"\u2070", "\u00b9", "\u00b2", "\u00b3", "\u2074",
                                                   "\u2075", "\u2076", "\u2077", "\u2078", "\u2079"};

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

// In ASCII as far as it can be: "2²⁰" as "2^20".
std::string inAscii(std::string_view typed) {
  std::string text;
  bool raised = false;
  while (!typed.empty()) {
    const auto same =
        std::ranges::find_if(kSameAs, [&](const auto& each) { return typed.starts_with(each.first); });
    const auto digit =
        std::ranges::find_if(kRaised, [&](std::string_view each) { return typed.starts_with(each); });
    if (digit != kRaised.end()) {
      if (!raised && !text.ends_with('^')) text += '^';
      text += char('0' + (digit - kRaised.begin()));
      typed.remove_prefix(digit->size());
    } else if (same != kSameAs.end()) {
      text += same->second;
      typed.remove_prefix(same->first.size());
    } else {
      text += typed.front();
      typed.remove_prefix(1);
    }
    raised = digit != kRaised.end();
  }
  return std::string(trimmed(text));
}

Number plainNumber(std::string_view digits) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

// "65537", "65 537", "65,537".
Number groupedNumber(std::string_view text) {
  const std::size_t first = text.find_first_of(" ,");
  if (first == text.npos) return plainNumber(text);
  // "0,500" is rather a half than five hundred.
  if (first == 0 || first > kGroup || text.front() == '0') return std::nullopt;
  const char separator = text[first];
  std::string digits(text.substr(0, first));
  for (std::string_view rest = text.substr(first); !rest.empty(); rest.remove_prefix(1 + kGroup)) {
    if (rest.front() != separator || !areDigits(rest.substr(1, kGroup)) || rest.size() < 1 + kGroup)
      return std::nullopt;
    digits += rest.substr(1, kGroup);
  }
  return plainNumber(digits);
}

Number power(std::uint64_t base, std::uint64_t exponent) {
  if (base <= 1) return exponent == 0 ? 1 : base;
  std::uint64_t value = 1;
  for (std::uint64_t i = 0; i < exponent; ++i) {
    if (value > kMax / base) return std::nullopt;
    value *= base;
  }
  return value;
}

Number product(std::uint64_t a, Number b) {
  if (!b || (a != 0 && *b > kMax / a)) return std::nullopt;
  return a * *b;
}

// "2.5e6": digits, perhaps with a point, and a power of ten that makes them whole.
Number inScientific(std::string_view mantissa, std::string_view exponent) {
  if (exponent.starts_with('+')) exponent.remove_prefix(1);
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  const std::string_view whole = mantissa.substr(0, point);
  std::string_view fraction = mantissa.substr(std::min(point + 1, mantissa.size()));
  const auto tens = areDigits(exponent) ? plainNumber(exponent) : std::nullopt;
  if (!tens || !areDigits(whole) || (point < mantissa.size() && !areDigits(fraction))) return std::nullopt;
  while (fraction.ends_with('0')) fraction.remove_suffix(1);
  if (fraction.size() > *tens) return std::nullopt;
  const auto digits = plainNumber(std::string(whole) + std::string(fraction));
  if (!digits || *digits == 0) return digits;
  return product(*digits, power(10, *tens - fraction.size()));
}

}  // namespace

std::optional<std::uint64_t> stridescope::typedNumber(std::string_view typed) {
  if (typed.size() > kMaxCountBytes) return std::nullopt;
  const std::string ascii = inAscii(typed);
  const std::string_view text = ascii;
  const std::size_t at = text.find_first_of("^<eE");
  if (at == text.npos) return groupedNumber(text);
  const std::string_view before = trimmed(text.substr(0, at));
  if (text[at] == 'e' || text[at] == 'E') return inScientific(before, trimmed(text.substr(at + 1)));
  const bool shifts = text[at] == '<';
  if (shifts && !text.substr(at).starts_with("<<")) return std::nullopt;
  const auto left = groupedNumber(before), right = plainNumber(trimmed(text.substr(at + (shifts ? 2 : 1))));
  if (!left || !right) return std::nullopt;
  return shifts ? product(*left, power(2, *right)) : power(*left, *right);
}

std::string stridescope::adviceOnNumber(std::string_view typed) {
  if (typed.size() > kMaxCountBytes || typedNumber(typed)) return {};
  const std::string text = inAscii(typed);
  if (text.find_first_not_of("0123456789 ,.") != text.npos || text.find_first_of("0123456789") == text.npos)
    return {};
  if (text.find('.') != text.npos) return "A point does not group digits, and a count has no fraction.";
  if (text.find_first_of(" ,") == text.npos) return {};
  return "A comma or a blank groups three digits, as in 65,536.";
}
