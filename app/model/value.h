// Elements as bits and as text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "model/experiment.h"

namespace stridescope::model {

// The element whose bits are `bits` (zero-extended), printed so that it reads back exactly: integers in
// decimal, floating values in the shortest form that round-trips, "inf", "-inf", "nan".
std::string printElement(ElementType type, std::uint64_t bits);

// The bits of the element that printElement() prints so; any nan's bits for a nan. nullopt for every other
// text.
std::optional<std::uint64_t> readPrintedElement(ElementType type, std::string_view text);

}  // namespace stridescope::model
