// What the arrays of a trace hold and what they are for, where the trace does not say: recordings of before
// format 4 do not.
#pragma once

#include <optional>
#include <string_view>

#include "model/trace.h"

namespace stridescope::kernels {

// The type of a __shared__ array's elements by the words that declare it ("T", "volatile T", "unsigned") and
// their size, where T is the experiment's type. Nothing: they are no elements.
std::optional<model::ElementType> typeOfDeclared(std::string_view words, unsigned elementBytes,
                                                 model::ElementType t);

// Fills in the arrays' types and roles. A buffer's are those of the parameter of its name in the trace's
// variant; of a variant or a name that the catalogue does not have the role stays unknown. Other types are
// read from the declarations in the trace's kernel text.
void describeArrays(model::Trace& trace);

}  // namespace stridescope::kernels
