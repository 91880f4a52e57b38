// A person's number as an element.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "model/experiment.h"

namespace stridescope::engine {

enum class ElementFault : std::uint8_t { None, NoNumber, OutOfRange };

// The whole text as a number of the type; a leading + is allowed, infinities and nan are for floating types.
// `bits` is set where there is no fault; every nan has the same ones, those of the type's quiet NaN.
ElementFault parseElement(model::ElementType type, std::string_view text, std::uint64_t& bits);

// What is wrong, without an advice: "'x' is no int", "'5000000000' is out of the range of int".
std::string describeFault(ElementFault fault, std::string_view text, model::ElementType type);

}  // namespace stridescope::engine
