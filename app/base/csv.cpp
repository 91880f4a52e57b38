#include "base/csv.h"

#include <charconv>

namespace stridescope {
namespace {

bool isNumber(std::string_view text) {
  const bool signIsPlus = text.starts_with('+');
  if (signIsPlus) text.remove_prefix(1);
  if (text.empty() || (signIsPlus && (text.front() == '+' || text.front() == '-'))) return false;
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, fault] = std::from_chars(text.data(), end, value);
  // "nan(...)" is one for from_chars, too.
  return stop == end && fault != std::errc::invalid_argument && text.find('(') == std::string_view::npos;
}

}  // namespace

std::string csvText(std::string_view text, CsvQuotes quotes) {
  constexpr std::string_view kBeginAFormula = "=+-@\t\r";
  std::string cell;
  if (!text.empty() && kBeginAFormula.find(text.front()) != std::string_view::npos) cell = '\'';
  const bool isPlain = text.find_first_of(",\"\n\r") == std::string_view::npos;
  if (quotes == CsvQuotes::WhereNeeded && isPlain) return cell.append(text);
  cell.insert(0, 1, '"');
  for (const char c : text) cell.append(c == '"' ? 2 : 1, c);
  return cell + '"';
}

std::string csvNumber(std::string_view number) {
  return number.empty() || isNumber(number) ? std::string(number) : csvText(number);
}

}  // namespace stridescope
