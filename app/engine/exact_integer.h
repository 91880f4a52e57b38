// What an integer sum, difference or product comes to without the limits of its type.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "model/experiment.h"

namespace stridescope::engine {

// The exact result, printed; a product beyond 2^127 has its first six digits, as in "1.40501e+51". nullopt:
// the type holds it, so nothing wraps, or the type or operator is another. Reads every element.
std::optional<std::string> exactIfWrapped(const model::Experiment& experiment);

// "The sum wraps: exact 4 999 950 000, wrapped to 704 982 704 in 32 bits." `wrapped`: the value in the type,
// printed.
std::string wrappedNote(const model::Experiment& experiment, const std::string& exact,
                        const std::string& wrapped);

}  // namespace stridescope::engine
