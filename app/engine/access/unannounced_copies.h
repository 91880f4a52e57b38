// Copies of classes in a person's text that g++ does not announce: of arguments that are taken by value,
// where they are read from memory, and of what calls give, where it is stored there. The program has to be
// told (kernels/access/device/loads.h).
#pragma once

#include <vector>

#include "declarations.h"
#include "host_parts.h"
#include "kernel_tokens.h"
#include "text_edits.h"

namespace stridescope::engine::access {

// f(a[i]) becomes f(accesses::byValue(a[i])), of a function that the text declares once, or of a member whose
// name its classes have once, and whose parameter there may be a class. Operators, functors, and lambdas are
// not looked for. a[i] = f(x) becomes accesses::element(a[i]) = f(x), whatever is called: what is no class is
// stored as before.
void tellUnannouncedCopies(const KernelTokens& tokens, const std::vector<Declaration>& declarations,
                           const HostParts& host, TextEdits& edits);

}  // namespace stridescope::engine::access
