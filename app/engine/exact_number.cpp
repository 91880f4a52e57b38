#include "engine/exact_number.h"

#include <array>
#include <cstdio>

namespace stridescope {

std::string ExactNumber::print(int digits) const {
  std::array<char, 128> text{};
  mpfr_snprintf(text.data(), text.size(), "%.*Rg", digits, get());
  return text.data();
}

}  // namespace stridescope
