// What the arrays of a trace hold and what they are for: by the catalogue, and by the declarations that the
// kernel's model knows. Recordings of before format 4 do not say it.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "model/trace.h"

namespace stridescope::kernels {

// The type of an array's elements by the words of its declared type ("T", "unsigned") and their size, where T
// is the experiment's type. Nothing: they are no elements.
std::optional<model::ElementType> typeOfDeclared(std::string_view words, unsigned elementBytes,
                                                 model::ElementType t);

// Fills in the types of a launch's __shared__ arrays. One that the model does not have counts as declared
// with T.
void describeShared(const model::KernelModel& kernel, model::ElementType t,
                    std::vector<model::Array>& shared);

// The same for all launches of a trace, and the types and roles of its buffers: those of the parameter of the
// same name in the trace's variant. If the catalogue does not have the variant or the name, the type is that
// of the declaration, and the role stays unknown.
void describeArrays(model::Trace& trace);

}  // namespace stridescope::kernels
