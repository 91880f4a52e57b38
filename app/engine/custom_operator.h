// A person's own operator: combine(a, b) as text, and its identity. The same sentences for the command line
// and for the window.
//
// The text is one expression of a and b, elements of the type T ("a > b ? a : b"), or statements that return
// one ("while (b != 0) { T rest = a % b; a = b; b = rest; } return a;"). It stands between the braces of a
// function; it may call what the kernels may (min, max, __popc, ...). It holds no comments, character or
// string literals, directives and backslashes, and its brackets match, so that it cannot by accident end the
// function that it stands in. Whether it is C++ is for the compiler to say.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "model/experiment.h"

namespace stridescope::engine {

inline constexpr std::size_t kMaxCombineBytes = 4096;

// A sentence: why this cannot be the text; nothing if it may.
std::optional<std::string> faultOfCombine(std::string_view combine);

// Blanks around the two texts are dropped. The error names the text that is wrong, and says why.
Result<model::CustomOperator> readCustomOperator(std::string_view combine, std::string_view identity,
                                                 model::ElementType type);

}  // namespace stridescope::engine
