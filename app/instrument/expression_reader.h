// Expressions of whole numbers, read into trees.
#pragma once

#include <vector>

#include "instrument/brackets.h"
#include "model/expression.h"

namespace stridescope::instrument {

// Per token: the index into KernelExpressions::names of the name that it stands for; -1: none.
using NamesAt = std::vector<int>;

// The words of the range, and its nodes where it is an expression of whole numbers.
model::Expression readExpression(const Source& source, TokenRange range, const NamesAt& names);

// What a for's step makes of its variable, the name `stepped`: of ++s, s--, s *= 2 and s = 2 * s + 1. Without
// nodes where the step does anything else.
model::Expression readStep(const Source& source, TokenRange step, const NamesAt& names, int stepped);

}  // namespace stridescope::instrument
