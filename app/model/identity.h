// What leaves the other operand of an operator as it is.
#pragma once

#include <cstdint>

#include "model/experiment.h"

namespace stridescope::model {

// As bits of the type: 0, 1, the largest, the smallest, all ones. Floating min and max have the infinities.
// Operator::Custom has 0 here: the experiment states its own.
std::uint64_t identityBits(ElementType type, Operator op);

// The identity of the experiment's operator, which may be a person's own.
inline std::uint64_t identityOf(const Experiment& experiment) {
  return experiment.op == Operator::Custom ? experiment.custom.identityBits
                                           : identityBits(experiment.type, experiment.op);
}

}  // namespace stridescope::model
