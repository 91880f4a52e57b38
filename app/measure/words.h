// Sizes in words.
#pragma once

#include <bit>
#include <cstdint>
#include <string>

namespace stridescope::measure {

// "2^24" for powers of two from 2^10 on, else "1000".
inline std::string elementsText(std::uint64_t elements) {
  if (elements >= 1024 && std::has_single_bit(elements))
    return "2^" + std::to_string(std::countr_zero(elements));
  return std::to_string(elements);
}

}  // namespace stridescope::measure
