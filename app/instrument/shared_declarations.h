// The __shared__ arrays and variables of a kernel's text.
#pragma once

#include <string_view>
#include <unordered_set>
#include <vector>

#include "instrument/declarations.h"
#include "instrument/edits.h"
#include "instrument/instrument.h"
#include "instrument/statements.h"

namespace stridescope::instrument {

struct SharedArrays {
  std::vector<SharedDeclaration> declarations;
  std::unordered_set<std::string_view> variables;  // those that are no arrays: __shared__ bool last;
  std::vector<Replacement> replacements;
  std::vector<bool> replacedTokens;  // one a token of the text
};

// Refuses variables whose name something else has too, pointers as elements, initializers, alignment, more
// arrays than can be recorded, more than one dynamic array, and declarations that are not written on one
// line.
Accepted<SharedArrays> readSharedArrays(const Source& source, const Declarations& declarations,
                                        const Statements& statements);

}  // namespace stridescope::instrument
