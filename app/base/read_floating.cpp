#include "base/read_floating.h"

namespace stridescope {

std::from_chars_result readFloating(const char* begin, const char* end, float& value) {
  return std::from_chars(begin, end, value);
}

std::from_chars_result readFloating(const char* begin, const char* end, double& value) {
  return std::from_chars(begin, end, value);
}

}  // namespace stridescope
