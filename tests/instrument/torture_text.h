// A kernel's text with every odd form that the text pass promises to read.
#pragma once

#include <string_view>

namespace stridescope::instrument {

extern const std::string_view kTortureText;

}  // namespace stridescope::instrument
