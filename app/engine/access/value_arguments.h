// Arguments that functions of a person's text take by value, where they are read from memory: with g++ the
// program has to be told of a class's read (kernels/access/device/loads.h).
#pragma once

#include <vector>

#include "declarations.h"
#include "host_parts.h"
#include "kernel_tokens.h"
#include "text_edits.h"

namespace stridescope::engine::access {

// f(a[i]) becomes f(accesses::byValue(a[i])), of a function that the text declares once and whose parameter
// there may be a class. Operators and members are not looked for.
void tellValueArguments(const KernelTokens& tokens, const std::vector<Declaration>& declarations,
                        const HostParts& host, TextEdits& edits);

}  // namespace stridescope::engine::access
