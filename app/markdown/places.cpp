#include "markdown/places.h"

#include <algorithm>

namespace stridescope::markdown {
namespace {

bool beginsCharacter(char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }

}  // namespace

Places::Places(std::string_view text) {
  charactersBefore_.reserve(text.size() + 1);
  charactersBefore_.push_back(0);
  for (std::size_t at = 0; at < text.size(); ++at) {
    charactersBefore_.push_back(charactersBefore_.back() + (beginsCharacter(text[at]) ? 1 : 0));
    const bool endsLine = text[at] == '\n' || (text[at] == '\r' && text.substr(at + 1, 1) != "\n");
    if (endsLine) lineBegins_.push_back(at + 1);
  }
}

Place Places::of(std::size_t byte) const {
  const auto next = std::ranges::upper_bound(lineBegins_, byte);
  const std::size_t begin = *std::prev(next);
  return {std::size_t(next - lineBegins_.begin()), charactersBefore_[byte] - charactersBefore_[begin] + 1};
}

}  // namespace stridescope::markdown
