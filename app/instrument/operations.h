// Finds the barriers, warp operations and atomics that CALLS.md lists, and the conditions of ifs and loops.
#pragma once

#include "instrument/expressions.h"
#include "instrument/findings.h"

namespace stridescope::instrument {

void findOperations(const Source& source, const Expressions& expressions, Findings& findings);

void findBranches(const Source& source, const Statements& statements, Findings& findings);

}  // namespace stridescope::instrument
