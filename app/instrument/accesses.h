// Finds every a[i] and *p and shared variable, and how it is used.
#pragma once

#include "instrument/expressions.h"
#include "instrument/findings.h"
#include "instrument/own_arrays.h"
#include "instrument/shared_declarations.h"

namespace stridescope::instrument {

// Leaves the thread's own arrays alone. Refuses members of elements, rows used as elements, and operands that
// cannot be read.
Accepted<void> findAccesses(const Source& source, const Declarations& declarations,
                            const Expressions& expressions, const OwnArrays& ownArrays,
                            const SharedArrays& shared, Findings& findings);

}  // namespace stridescope::instrument
