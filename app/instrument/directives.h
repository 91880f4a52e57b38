// The preprocessor lines that a kernel's text may have: #pragma unroll, and #define of a plain constant.
#pragma once

#include <string_view>
#include <unordered_set>
#include <vector>

#include "instrument/tokens.h"

namespace stridescope {

// The names of the constants that the lines define. Refuses every other line: what it could hide (an access,
// an operator, half a statement) would not be recorded.
Accepted<std::unordered_set<std::string_view>> readDirectives(const std::vector<Token>& directives);

}  // namespace stridescope
