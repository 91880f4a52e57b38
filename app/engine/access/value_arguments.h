// Arguments that functions of a person's text take by value, where they are read from memory, and results of
// functions and operators, where they are stored there: with g++ the program has to be told of a class's
// read, and of where its store goes (kernels/access/device/loads.h).
#pragma once

#include <vector>

#include "declarations.h"
#include "host_parts.h"
#include "kernel_tokens.h"
#include "text_edits.h"

namespace stridescope::engine::access {

// f(a[i]) becomes f(accesses::byValue(a[i])), of a function that the text declares once and whose parameter
// there may be a class. Operators and members are not looked for. a[i] = f(x) becomes
// accesses::element(a[i]) = f(x), of a function whose result may be a class, and where the text defines an
// operator that the right side has.
void tellValueArguments(const KernelTokens& tokens, const std::vector<Declaration>& declarations,
                        const HostParts& host, TextEdits& edits);

}  // namespace stridescope::engine::access
