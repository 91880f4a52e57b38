#include "twin/wrapped.h"

#include <algorithm>
#include <sstream>

namespace stridescope {

std::size_t charactersIn(std::string_view text) {
  return std::size_t(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
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

}  // namespace stridescope
