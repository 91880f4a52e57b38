// What an integer sum, difference or product comes to without the limits of its type.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "model/experiment.h"

namespace stridescope::engine {

// Printed; of a product beyond 2^127 "1.40501e+51", its first six digits. nullopt: it is what the type holds,
// so that nothing wraps; also of other types and operators. Reads every element.
std::optional<std::string> exactIfWrapped(const model::Experiment& experiment);

// "The sum wraps: exact 4 999 950 000, wrapped to 704 982 704 in 32 bits." `wrapped`: the value in the type,
// printed.
std::string wrappedNote(const model::Experiment& experiment, const std::string& exact,
                        const std::string& wrapped);

}  // namespace stridescope::engine
