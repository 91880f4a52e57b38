#include "base/json_fault.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace stridescope {

std::optional<std::pair<std::size_t, std::size_t>> faultOfJson(std::string_view text) {
  try {
    [[maybe_unused]] const auto json = nlohmann::json::parse(text);
    return std::nullopt;
  } catch (const nlohmann::json::parse_error& fault) {
    const std::size_t at = std::min(fault.byte == 0 ? 0 : fault.byte - 1, text.size());
    const auto end = text.begin() + std::ptrdiff_t(at);
    const auto before = text.substr(0, at).rfind('\n');
    return std::pair(std::size_t(std::count(text.begin(), end, '\n')) + 1,
                     at - (before == std::string_view::npos ? 0 : before + 1) + 1);
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

}  // namespace stridescope
