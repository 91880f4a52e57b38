// The end of Predict: what was predicted of all rounds, what was wrong, and what to do next.
#pragma once

#include <string>
#include <vector>

#include "kernels/catalog.h"
#include "session/parts.h"

namespace stridescope::views {

struct SumLine {
  std::string text;
  bool isStrong = false;
};

// Requires that all rounds are summed up.
std::vector<SumLine> sumLines(const session::Parts& parts);

// The next of its family, side branches and bugs left out; nullptr: there is none.
const kernels::Variant* variantAfter(const session::Parts& parts);

}  // namespace stridescope::views
