// Elements as bits, combined as the kernels combine them.
#pragma once

#include <cstdint>
#include <cstring>

#include "model/element_table.h"

namespace stridescope::model {

// The element's bits, zero-extended, and back.
template <class T>
std::uint64_t bitsOfElement(T value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}
template <class T>
T elementOfBits(std::uint64_t bits) {
  T value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

// combine(a, b) for every operator but Custom (which gives a): integers wrap in two's complement, floating
// values round to nearest, min and max are the kernels' comparisons.
std::uint64_t combineBits(ElementType type, Operator op, std::uint64_t a, std::uint64_t b);

// Whether an element is nan; an integer never is.
bool isNan(ElementType type, std::uint64_t bits);

// The same bits, so that -0 is not 0; but NaNs are equal whatever their bits: which NaN an invalid operation
// gives is the machine's choice (IEEE 754-2019, 6.2.3), and GPUs and x86 choose differently.
bool sameElement(ElementType type, std::uint64_t a, std::uint64_t b);

}  // namespace stridescope::model
