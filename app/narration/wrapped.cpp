#include "narration/wrapped.h"

#include <algorithm>
#include <sstream>

namespace stridescope::narration {

namespace {

bool beginsCharacter(char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }

}  // namespace

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
