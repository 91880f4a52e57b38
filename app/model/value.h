// Elements as bits and as text.
#pragma once

#include <cstdint>
#include <string>

#include "model/experiment.h"

namespace stridescope::model {

// The element whose bits are `bits` (zero-extended), printed so that it reads back exactly: integers in
// decimal, floating values in the shortest form that round-trips, "inf", "-inf", "nan".
std::string printElement(ElementType type, std::uint64_t bits);

}  // namespace stridescope::model
