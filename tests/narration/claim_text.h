// A caption as a list of claims: finds phrases with numbers in it and strikes them out, so that what nobody
// has checked remains.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stridescope::narration {

class ClaimText {
 public:
  explicit ClaimText(std::string text);

  // Finds a phrase and strikes it out. In the pattern '#' is a whole number, '$' a printed value, '@' a word
  // and
  // '~' anything up to the next punctuation; all else stands for itself, at the beginning also as a capital.
  // Gives what stood for each of them; nullopt: there is no such phrase.
  std::optional<std::vector<std::string>> take(std::string_view pattern);

  bool has(std::string_view phrase) const { return text_.find(phrase) != std::string::npos; }
  // What was not struck out, and whether a digit is in it.
  const std::string& rest() const { return text_; }
  bool hasNumber() const;

 private:
  std::string text_;
};

std::uint64_t numberOf(const std::string& digits);

}  // namespace stridescope::narration
