#include "engine/parse_element.h"

#include <charconv>
#include <cmath>
#include <limits>
#include <type_traits>

#include "base/plain_text.h"
#include "model/arithmetic.h"

namespace stridescope::engine {

ElementFault parseElement(model::ElementType type, std::string_view text, std::uint64_t& bits) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  return model::withType(type, [&](auto zero) {
    using T = decltype(zero);
    T value{};
    const char* const end = text.data() + text.size();
    const auto [stop, fault] = std::from_chars(text.data(), end, value);
    if (fault == std::errc::result_out_of_range && stop == end) return ElementFault::OutOfRange;
    if (fault == std::errc() && stop == end && !text.empty()) {
      if constexpr (std::is_floating_point_v<T>)
        if (std::isnan(value)) value = std::numeric_limits<T>::quiet_NaN();
      bits = model::bitsOfElement(value);
      return ElementFault::None;
    }
    // An unsigned type takes no minus: a number all the same, but not one of this type.
    long long any = 0;
    const auto whole = std::from_chars(text.data(), end, any);
    const bool isNumber = !text.empty() && whole.ptr == end && whole.ec != std::errc::invalid_argument;
    return isNumber && std::is_integral_v<T> ? ElementFault::OutOfRange : ElementFault::NoNumber;
  });
}

std::string describeFault(ElementFault fault, std::string_view text, model::ElementType type) {
  std::string shown(cutBetweenCharacters(text, 40));
  if (shown.size() < text.size()) shown += "...";
  if (fault == ElementFault::OutOfRange)
    return "'" + shown + "' is out of the range of " + std::string(model::nameOf(type));
  return "'" + shown + "' is no " + std::string(model::nameOf(type));
}

}  // namespace stridescope::engine
