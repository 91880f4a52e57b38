// How well the few letters that a person types name something. Pure.
#pragma once

#include <string_view>

namespace stridescope::views {

// 0: not at all. Each word of the query must be found in the text, in any order and case: as a word of it,
// as the beginning of one, inside one, or, of letters alone, as letters that come in this order and begin
// with a word; in this order the score falls. An empty query finds everything, with 1.
int matchScore(std::string_view query, std::string_view text);

}  // namespace stridescope::views
