#include "base/plain_text.h"

#include <array>
#include <boost/locale/utf.hpp>
#include <cstdio>

using namespace stridescope;

namespace {

using Utf8 = boost::locale::utf::utf_traits<char>;
using CodePoint = boost::locale::utf::code_point;

constexpr std::size_t kLongestCharacter = 4;  // bytes

bool isReplaced(CodePoint code, Lines lines) {
  if (lines == Lines::Many && (code == '\n' || code == '\t')) return false;
  return code < 0x20 || (code >= 0x7f && code <= 0x9f) || code == 0x61c || code == 0x200e || code == 0x200f ||
         (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

bool continuesCharacter(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) == 0x80; }

// The character at the beginning of `text`, which is not empty, and its length; `isText` is false for a byte
// that is no UTF-8.
struct Character {
  CodePoint code = 0;
  std::size_t bytes = 1;
  bool isText = true;
};
Character firstOf(std::string_view text) {
  const auto byte = static_cast<unsigned char>(text.front());
  if (byte < 0x80) return {byte, 1, true};
  const char* at = text.data();
  const CodePoint code = Utf8::decode(at, text.data() + text.size());
  if (!boost::locale::utf::is_valid_codepoint(code)) return {byte, 1, false};
  return {code, std::size_t(at - text.data()), true};
}

std::string replacementOf(const Character& character) {
  switch (character.code) {
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    case '\t':
      return "\\t";
    default:
      break;
  }
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), character.isText ? "\\u%04x" : "\\x%02x", unsigned(character.code));
  return text.data();
}

}  // namespace

std::size_t stridescope::printableLength(std::string_view text, Lines lines) {
  std::size_t length = 0;
  while (length < text.size()) {
    const auto byte = static_cast<unsigned char>(text[length]);
    if (byte >= 0x20 && byte < 0x7f) {
      ++length;
      continue;
    }
    const Character character = firstOf(text.substr(length));
    if (!character.isText || isReplaced(character.code, lines)) break;
    length += character.bytes;
  }
  return length;
}

std::string stridescope::printable(std::string_view text, Lines lines) {
  std::string result;
  while (true) {
    const std::size_t length = printableLength(text, lines);
    result += text.substr(0, length);
    text.remove_prefix(length);
    if (text.empty()) return result;
    const Character character = firstOf(text);
    result += replacementOf(character);
    text.remove_prefix(character.bytes);
  }
}

std::string stridescope::inOneLine(std::string_view source) {
  std::string line;
  for (const char c : source) {
    const bool isBlank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (!isBlank)
      line += c;
    else if (!line.empty() && line.back() != ' ')
      line += ' ';
  }
  return printable(line);
}

std::string_view stridescope::cutBetweenCharacters(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes) return text;
  std::size_t end = bytes;
  while (end > 0 && bytes - end < kLongestCharacter && continuesCharacter(text[end])) --end;
  return text.substr(0, continuesCharacter(text[end]) ? bytes : end);
}
