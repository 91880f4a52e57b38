// Whether the result of a custom operator is right, and what is to be said about it.
#pragma once

#include <string>

#include "model/trace.h"

namespace stridescope::engine::sandbox {

// Sets trial, expected, ok and the note of a trace that has its result. `expected` is the plain loop's value;
// empty: there was no way to know it. No bound on the rounding of an unknown operator is known, so the two
// must be equal; where the trial says why they need not be, the note does.
void judge(model::Trace& trace, model::OperatorTrial trial, std::string expected);

}  // namespace stridescope::engine::sandbox
