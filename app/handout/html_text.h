// Text and bytes within HTML.
#pragma once

#include <string>
#include <string_view>

#include "base/plain_text.h"

namespace stridescope::handout {

// Printable, and nothing in it is markup: for text and for attributes in double quotes.
std::string escaped(std::string_view text, Lines lines = Lines::One);

std::string base64(std::string_view bytes);

}  // namespace stridescope::handout
