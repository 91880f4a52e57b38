// Where a text that a person wrote stops being JSON.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

namespace stridescope {

// Line and column, from 1 on. Nothing: it is JSON, or nobody can say where.
std::optional<std::pair<std::size_t, std::size_t>> faultOfJson(std::string_view text);

}  // namespace stridescope
