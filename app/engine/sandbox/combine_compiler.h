// A person's combine, compiled for the CPU by the machine's C++ compiler.
#pragma once

#include "engine/sandbox/object_compiler.h"
#include "model/experiment.h"

namespace stridescope::engine::sandbox {

// The name of the function in the shared object: T stridescope_combine(T, T).
inline constexpr const char* kCombineSymbol = "stridescope_combine";

// Calls CUDA's built-in functions what the CPU executor's kernels call them. Integers wrap, products and sums
// are not contracted, as in the kernels. Errors and confinement as compileObject() has them.
Result<ObjectFile> compileCombine(const model::CustomOperator& custom, model::ElementType type,
                                  const JobControl& job, const ProcessLimits& limits = {});

}  // namespace stridescope::engine::sandbox
