// The preprocessor lines that a kernel's text may have: #pragma unroll, and #define of a plain constant.
#pragma once

#include <string_view>
#include <unordered_set>
#include <vector>

#include "instrument/tokens.h"

namespace stridescope::instrument {

struct Directives {
  std::unordered_set<std::string_view> constants;  // the names that the lines define
  std::vector<std::string> includes;               // "cooperative_groups.h"
};

// Refuses every line but plain constants, #pragma unroll and the headers of cooperative groups: what it could
// hide (an access, an operator, half a statement) would not be recorded.
Accepted<Directives> readDirectives(const std::vector<Token>& directives);

}  // namespace stridescope::instrument
