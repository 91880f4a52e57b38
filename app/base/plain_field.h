// Fields that are one value: what a column of a table or a member of a JSON object holds.
#pragma once

#include <concepts>
#include <optional>
#include <string>
#include <type_traits>

namespace stridescope {

template <class Field>
inline constexpr bool kIsOptionalEnum = false;
template <class Enum>
inline constexpr bool kIsOptionalEnum<std::optional<Enum>> = std::is_enum_v<Enum>;

// A number, a flag, an enumerator (perhaps none) or a text; no list, and nothing that has fields of its own.
template <class Field>
concept PlainField = std::is_arithmetic_v<Field> || std::is_enum_v<Field> || kIsOptionalEnum<Field> ||
    std::same_as<Field, std::string>;

}  // namespace stridescope
