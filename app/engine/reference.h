// What goes in and what must come out: the input of an experiment, and the result of a plain loop over it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trace/experiment.h"

namespace stridescope {

// Element i of the data, as bits of the type (zero-extended).
std::uint64_t inputElement(const Experiment& experiment, std::uint64_t i);

// The operator's identity as bits of the type: 0, 1, the largest, the smallest, all ones. Floating min and
// max: the infinities.
std::uint64_t identityBits(ElementType type, Operator op);

// The same of the experiment's operator, which may be a person's own.
std::uint64_t identityOf(const Experiment& experiment);

// The input in memory: n elements of bytesOf(type), then identities up to `paddedElements`.
std::vector<std::uint8_t> makeInput(const Experiment& experiment, std::uint64_t paddedElements);

struct Check {
  std::string
      expected;  // a plain loop's value, printed; floating sums and products in long double, then rounded
  bool ok = false;
  std::string note;  // a sentence where one is needed: the bound, or why no bound holds
};

// Holds a result against a plain left-to-right loop. Integers must be equal (they wrap in two's complement),
// floating min and max too. Floating sums and products: within the bound of rounding.h; where a product can
// overflow in some order, order decides and the note says so.
Check checkResult(const Experiment& experiment, std::uint64_t resultBits);

}  // namespace stridescope
