// What the checks of a trace say what is wrong with.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace stridescope::model {

// The end of a sentence; nothing: there is no fault.
using Fault = std::optional<std::string>;

// "site 3".
inline std::string numbered(std::string_view noun, std::uint64_t number) {
  return std::string(noun) + " " + std::to_string(number);
}

}  // namespace stridescope::model
