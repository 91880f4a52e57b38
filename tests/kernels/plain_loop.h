// What a reduction must give, from a loop of its own: data whose result is exact in every type, and what is
// expected of it as the engine prints it.
#pragma once

#include <cstdint>
#include <string>

#include "model/experiment.h"

namespace stridescope::test {

// The experiment with `elements` given values. Sums and products of them are exact in float too, in any
// order: sums of small numbers, products of ones and of a few threes.
model::Experiment withPlainData(model::Experiment experiment);

// The loop's value, from left to right over the given values.
double plainResult(const model::Experiment& experiment);  // exact: all results are integers below 2^53
// What a trace says its result is, as a number.
double printedNumber(const std::string& printed);

}  // namespace stridescope::test
