// Texts that would take over a terminal, and a search for them in what a program wrote that shares nothing
// with the program's own rules.
#pragma once

#include <string>
#include <string_view>

namespace stridescope::support {

// Colours, rings, breaks the line, ends a C1 sequence, turns the direction of text. UTF-8.
inline constexpr std::string_view kHostileText =
    "e\x1b[31mvil\x07\x7f\r\nnew line\t\xc2\x9b\xd8\x9c\xe2\x80\xae\xe2\x80\x8f\xe2\x81\xa6.\xe2\x80\xa8";

// The part of the hostile text, or of its kind, that a text has whose lines and tabs are its own; empty: it
// has none.
inline std::string hostileIn(std::string_view text) {
  const auto at = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const auto found = [&](const char* what, std::size_t i) {
    return std::string(what) + " at byte " + std::to_string(i) + ", after '" +
           std::string(text.substr(i < 30 ? 0 : i - 30, i < 30 ? i : 30)) + "'";
  };
  for (std::size_t i = 0; i < text.size();) {
    const unsigned first = at(i);
    const auto continues = [&](std::size_t k) { return (at(i + k) & 0xc0) == 0x80; };
    if (first < 0x80) {
      if ((first < 0x20 && first != '\n' && first != '\t') || first == 0x7f)
        return found("a control character", i);
      i += 1;
    } else if (first >= 0xc2 && first <= 0xdf && continues(1)) {
      if (first == 0xc2 && at(i + 1) < 0xa0) return found("a C1 control character", i);
      if (first == 0xd8 && at(i + 1) == 0x9c) return found("U+061C", i);
      i += 2;
    } else if (first >= 0xe0 && first <= 0xef && continues(1) && continues(2)) {
      const unsigned second = at(i + 1), third = at(i + 2);
      if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f)) return found("no UTF-8", i);
      if (first == 0xe2 && second == 0x80 &&
          (third == 0x8e || third == 0x8f || (third >= 0xa8 && third <= 0xae)))
        return found("U+20xx that directs", i);
      if (first == 0xe2 && second == 0x81 && third >= 0xa6 && third <= 0xa9)
        return found("U+2066 to U+2069", i);
      i += 3;
    } else if (first >= 0xf0 && first <= 0xf4 && continues(1) && continues(2) && continues(3)) {
      if ((first == 0xf0 && at(i + 1) < 0x90) || (first == 0xf4 && at(i + 1) > 0x8f))
        return found("no UTF-8", i);
      i += 4;
    } else {
      return found("no UTF-8", i);
    }
  }
  return {};
}

}  // namespace stridescope::support
