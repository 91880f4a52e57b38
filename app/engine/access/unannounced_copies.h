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

// f(a[i]) becomes f(accesses::byValue(a[i])), of a function of the text, or of a member, whose parameter
// there may be a class wherever the text declares one of its name. g(a[i]) becomes
// g(accesses::argumentOf<decltype(g), 0>(a[i])), of a variable g or of G(): a functor, a lambda, or a pointer
// to a function. a[i] + b[i] has accesses::byValue() around its operands, and so have -, *, and /, where all
// that the text declares of the sign take them by value. a[i] = f(x) becomes accesses::element(a[i]) = f(x),
// whatever is called: what is no class is stored as before.
void tellUnannouncedCopies(const KernelTokens& tokens, const std::vector<Declaration>& declarations,
                           const HostParts& host, TextEdits& edits);

}  // namespace stridescope::engine::access
