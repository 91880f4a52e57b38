#include "narration/wording.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <sstream>

#include "base/numbers.h"
#include "model/operator_table.h"

namespace stridescope::narration {
namespace {

bool beginsCharacter(char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }

}  // namespace

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

std::string ordinal(std::uint64_t number) {
  const std::uint64_t tens = number / 10 % 10, ones = number % 10;
  const std::string_view ending = tens == 1 || ones == 0 || ones > 3 ? "th"
                                  : ones == 1                        ? "st"
                                  : ones == 2                        ? "nd"
                                                                     : "rd";
  return fmt::format("{}{}", figure(number), ending);
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

std::string capitalized(std::string text) {
  if (!text.empty()) text.front() = char(std::toupper(static_cast<unsigned char>(text.front())));
  return text;
}

std::string listed(const std::vector<std::string>& parts) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i)
    text += (i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ") + parts[i];
  return text;
}

std::string recordedSizes(const std::vector<std::uint64_t>& sizes) {
  if (sizes.empty()) return {};
  std::vector<std::string> texts;
  std::ranges::transform(sizes, std::back_inserter(texts), sizeText);
  return std::string("Recorded ") + (sizes.size() == 1 ? "is" : "are") + " n = " + listed(texts) + ".";
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
