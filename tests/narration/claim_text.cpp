#include "claim_text.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace stridescope::narration {
namespace {

constexpr std::string_view kThinSpace = "\u202f", kPunctuation = ",;:.";

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool isInWord(char c) { return isDigit(c) || isLetter(c); }

bool fits(char kind, char c, bool first) {
  if (kind == '#') return isDigit(c);
  if (kind == '$') return isDigit(c) || c == '-' || (!first && (c == '.' || c == '+')) || isLetter(c);
  if (kind == '@') return isInWord(c) || c == '_';
  return kPunctuation.find(c) == std::string_view::npos;
}

// Where a match of the pattern that begins at `at` ends; npos: none does. As little as possible for '~', as
// much as possible for the others.
std::size_t matched(std::string_view text, std::size_t at, std::string_view pattern,
                    std::vector<std::string>& caught) {
  if (pattern.empty()) return at;
  const char kind = pattern[0];
  if (std::string_view("#$@~").find(kind) == std::string_view::npos)
    return at < text.size() && text[at] == kind ? matched(text, at + 1, pattern.substr(1), caught)
                                                : std::string::npos;
  std::size_t most = 0;
  while (at + most < text.size() && fits(kind, text[at + most], most == 0)) ++most;
  const auto tryLength = [&](std::size_t length) {
    caught.emplace_back(text.substr(at, length));
    const std::size_t end = matched(text, at + length, pattern.substr(1), caught);
    if (end == std::string::npos) caught.pop_back();
    return end;
  };
  if (kind == '~') {
    for (std::size_t length = 0; length <= most; ++length)
      if (const std::size_t end = tryLength(length); end != std::string::npos) return end;
    return std::string::npos;
  }
  for (std::size_t length = most; length > (kind == '#' ? most - std::min<std::size_t>(most, 1) : 0);
       --length)
    if (const std::size_t end = tryLength(length); end != std::string::npos) return end;
  return std::string::npos;
}

}  // namespace

ClaimText::ClaimText(std::string text) : text_(std::move(text)) {
  for (std::size_t at = 0; (at = text_.find(kThinSpace, at)) != std::string::npos;)
    text_.erase(at, kThinSpace.size());
}

std::optional<std::vector<std::string>> ClaimText::take(std::string_view pattern) {
  const std::string_view literal = pattern.substr(0, pattern.find_first_of("#$@~"));
  if (literal.size() > 1 && text_.find(literal.substr(1)) == std::string::npos) return std::nullopt;
  std::string opening(pattern);  // the same at the beginning of a sentence
  opening[0] = char(std::toupper(static_cast<unsigned char>(opening[0])));
  for (std::size_t at = 0; at < text_.size(); ++at) {
    // A number begins where it begins, a word likewise.
    if (at > 0 && isInWord(text_[at]) && isInWord(text_[at - 1])) continue;
    for (const std::string_view form : {pattern, std::string_view(opening)}) {
      std::vector<std::string> caught;
      const std::size_t end = matched(text_, at, form, caught);
      if (end == std::string::npos || (end < text_.size() && isDigit(text_[end]) && isDigit(text_[end - 1])))
        continue;
      text_.replace(at, end - at, "|");
      return caught;
    }
  }
  return std::nullopt;
}

bool ClaimText::hasNumber() const { return std::ranges::any_of(text_, isDigit); }

std::uint64_t numberOf(const std::string& digits) { return digits.empty() ? 0 : std::stoull(digits); }

}  // namespace stridescope::narration
