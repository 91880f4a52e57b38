#include "narration/wording.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "model/operator_table.h"

namespace stridescope::narration {
namespace {

constexpr std::string_view kThinSpace = "\u202f";

std::string grouped(std::string_view digits) {
  if (digits.size() < 5) return std::string(digits);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += kThinSpace;
    text += digits[i];
  }
  return text;
}

bool beginsCharacter(char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }

}  // namespace

std::string figure(std::uint64_t number) { return grouped(std::to_string(number)); }

std::string microsecondsText(double microseconds) {
  if (microseconds >= 9999.5) return figure(std::uint64_t(std::llround(microseconds)));
  if (microseconds >= 999.5) return fmt::format("{:.0f}", microseconds);
  if (microseconds >= 9.995) return fmt::format("{:.1f}", microseconds);
  return microseconds >= 0.9995 ? fmt::format("{:.2f}", microseconds) : fmt::format("{:.3f}", microseconds);
}

std::string groupedElement(std::string_view printed) {
  const bool negative = printed.starts_with('-');
  const std::string_view digits = printed.substr(negative ? 1 : 0);
  const bool integer =
      !digits.empty() && std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; });
  if (!integer) return std::string(printed);
  return fmt::format("{}{}", negative ? "-" : "", grouped(digits));
}

std::string count(std::uint64_t number, std::string_view noun) {
  return fmt::format("{} {}{}", figure(number), noun, number == 1 ? "" : "s");
}

std::string wayConflict(unsigned way) {
  const std::string digits = std::to_string(way);
  const bool vowel = digits.front() == '8' || way == 11 || way == 18;
  return fmt::format("{} {}-way bank conflict", vowel ? "an" : "a", digits);
}

std::string combines(model::Operator op, bool plural) {
  return std::string(plural ? model::factsOf(op).verbs : model::factsOf(op).verb);
}

std::string combinesEach(model::Operator op, std::uint64_t elements, bool plural) {
  const model::OperatorFacts& words = model::factsOf(op);
  std::string_view verb = plural ? words.verbs : words.verb;
  verb.remove_suffix(words.after.size());  // "combine by and" opens: "combine two elements each by and"
  return fmt::format("{}{} {} element{}{}{}", verb, words.before, smallNumber(elements),
                     elements == 1 ? "" : "s", plural ? " each" : "", words.after);
}

std::string_view nounOf(model::Operator op) { return model::factsOf(op).noun; }

std::string expression(model::Operator op, std::string_view a, std::string_view b) {
  if (op == model::Operator::Custom) return fmt::format("combine({}, {})", a, b);
  if (op == model::Operator::Min || op == model::Operator::Max)
    return fmt::format("{}({}, {})", model::nameOf(op), a, b);
  return fmt::format("{} {} {}", a, model::nameOf(op), b);
}

std::string smallNumber(std::uint64_t number) {
  if (number == 1) return "one";
  if (number == 2) return "two";
  return figure(number);
}

std::string sentenceOf(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts)
    if (!part.empty()) text += (text.empty() ? "" : "; ") + part;
  if (text.empty()) return text;
  if (text[0] >= 'a' && text[0] <= 'z') text[0] = char(text[0] - 'a' + 'A');
  return text + ".";
}

std::size_t charactersIn(std::string_view text) {
  return std::size_t(std::ranges::count_if(text, beginsCharacter));
}

std::string_view firstCharacters(std::string_view text, std::size_t count) {
  for (std::size_t i = 0; i < text.size(); ++i)
    if (beginsCharacter(text[i]) && count-- == 0) return text.substr(0, i);
  return text;
}

std::string wrapped(std::string_view text, std::size_t columns) {
  std::istringstream words{std::string(text)};
  std::string result, line;
  for (std::string word; words >> word;) {
    if (!line.empty() && charactersIn(line) + 1 + charactersIn(word) > columns) {
      result += line + "\n";
      line.clear();
    }
    if (!line.empty()) line += ' ';
    line += word;
  }
  return result + line;
}

}  // namespace stridescope::narration
