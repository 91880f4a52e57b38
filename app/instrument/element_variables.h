// In a text without a preamble no variable is said to hold an element: it is found out which do.
#pragma once

#include <optional>

#include "instrument/declarations.h"
#include "instrument/findings.h"
#include "instrument/statements.h"
#include "instrument/variables.h"
#include "model/kernel.h"

namespace stridescope::instrument {

// The type of the elements: that of the first __shared__ array, or else of the first array that the kernel is
// given, whose type a trace can name. nullopt: there is none.
std::optional<model::ElementType> elementTypeOf(const Source& source, const Variables& variables);

// Marks the variables of that type that hold elements (Variable::element): those that are made of what was
// loaded, exchanged or given by a caller, and that choose no element themselves, as an index does. Wants
// accesses and operations to be found.
void markElements(const Source& source, const Expressions& expressions, const Findings& findings,
                  model::ElementType type, Variables& variables);

}  // namespace stridescope::instrument
