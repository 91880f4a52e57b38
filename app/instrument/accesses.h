// Finds every a[i] and *p and how it is used.
#pragma once

#include "instrument/expressions.h"
#include "instrument/findings.h"

namespace stridescope {

// `skipped`: one a token; what is replaced as a whole (declarations of shared memory).
// Refuses members of elements, rows used as elements, and operands that cannot be read.
Accepted<void> findAccesses(const Source& source, const Declarations& declarations,
                            const Expressions& expressions, const std::vector<bool>& skipped,
                            Findings& findings);

}  // namespace stridescope
