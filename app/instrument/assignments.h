// Finds every assignment to a local variable or parameter of the element type, its initialization included,
// and records what it became. Variables whose address is taken are left alone, and x++ is: what it becomes is
// not its value.
#pragma once

#include "instrument/expressions.h"
#include "instrument/findings.h"
#include "instrument/variables.h"

namespace stridescope::instrument {

void findAssignments(const Source& source, const Declarations& declarations, const Expressions& expressions,
                     const Variables& variables, Findings& findings);

}  // namespace stridescope::instrument
