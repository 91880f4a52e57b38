// Text broken into lines of characters.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace stridescope::narration {

// Breaks between words, so that no line has more than `columns` characters; a longer word stays whole.
std::string wrapped(std::string_view text, std::size_t columns);

// Characters of UTF-8 text, and the first ones of it.
std::size_t charactersIn(std::string_view text);
std::string_view firstCharacters(std::string_view text, std::size_t count);

}  // namespace stridescope::narration
