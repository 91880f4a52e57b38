// The order in which what is recorded happens within an expression. Where C++ fixes it, that is the order: a
// && before what follows it, the value of an assignment before its target. Where C++ leaves it to the
// compiler, among the arguments of a call, the operands of + and the like, the recorded text has it from left
// to right.
#pragma once

#include <vector>

#include "instrument/declarations.h"
#include "instrument/findings.h"
#include "instrument/statements.h"
#include "instrument/tokens.h"
#include "instrument/variables.h"

namespace stridescope::instrument {

// Finds the expressions in which C++ leaves the order of recorded operands open, and adds the edits that fix
// it. Wants all sites but branches to be found. Gives the assignments whose target does something recorded.
// Refuses what has an open order that cannot be fixed.
Accepted<std::vector<LateTarget>> fixOrder(const Source& source, const Declarations& declarations,
                                           const Expressions& expressions, const Variables& variables,
                                           Findings& findings);

}  // namespace stridescope::instrument
