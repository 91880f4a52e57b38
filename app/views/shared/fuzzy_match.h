// How well the few letters that a person types name something. Pure.
#pragma once

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

namespace stridescope::views {

// How well the text matches; 0: not at all. Each word of the query must be found in the text, in any order
// and case: as a word of it, as the beginning of one, inside one or, if it has only letters, as letters that
// come in this order and begin with a word. The score falls from the first of these to the last. An empty
// query finds everything, with 1.
int matchScore(std::string_view query, std::string_view text);

// Text to be compared without regard to case.

// ASCII's letters; all other bytes stay as they are.
inline std::string lowerCase(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  return lower;
}

}  // namespace stridescope::views
