// A person's number as an element.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "model/experiment.h"

namespace stridescope::engine {

enum class ElementFault : std::uint8_t { None, NoNumber, OutOfRange, Nan };

// The whole text as a number of the type; a leading + is allowed, infinities are for
// floating types. `bits` is set where there is no fault.
ElementFault parseElement(model::ElementType type, std::string_view text, std::uint64_t& bits);

// What is wrong, without an advice: "'x' is no int", "'5000000000' is out of the range of int",
// "'nan' equals nothing, so no result could be checked".
std::string describeFault(ElementFault fault, std::string_view text, model::ElementType type);

}  // namespace stridescope::engine
