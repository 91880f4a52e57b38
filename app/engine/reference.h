// What goes in and what must come out: the input of an experiment, and the result of a plain loop over it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/experiment.h"

namespace stridescope::engine {

// Element i of the data, as bits of the type (zero-extended).
std::uint64_t inputElement(const model::Experiment& experiment, std::uint64_t i);

// The input in memory: n elements of bytesOf(type), then identities up to `paddedElements`.
std::vector<std::uint8_t> makeInput(const model::Experiment& experiment, std::uint64_t paddedElements);

struct Check {
  // What comes out, printed: a plain left-to-right loop's value; for floating sums and products the exact
  // value, rounded to the nearest, where the result is finite.
  std::string expected;
  bool ok = false;
  std::string note;  // a sentence where one is needed: the exact value, the bound, what overflows or wraps,
                     // which zero
};

// Holds a result against a plain left-to-right loop. Floating sums and products: by the rules of rounding.h.
// Everything else must have the loop's very bits (integers wrap in two's complement), but that NaNs are equal
// whatever their bits, and that of a floating min or max that is a zero any zero is right whose sign one of
// the zeros among the elements has: 0 and -0 compare equal, so that the order decides which one is left.
Check checkResult(const model::Experiment& experiment, std::uint64_t resultBits);

}  // namespace stridescope::engine
