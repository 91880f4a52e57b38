// Other names that people type for variants, types and operators: one table for the command line, links and
// searches. What is written (output, links that the program makes, recordings) has the name itself.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace stridescope::model {

enum class Named : std::uint8_t { Variant, Type, Operator };

struct Alias {
  Named kind{};
  std::string_view alias;
  std::string_view name;  // a variant's id, or what nameOf() gives for a type or an operator
};

// reduce0 to reduce7 are the kernels of NVIDIA's reduction sample.
inline constexpr std::array kAliases{
    Alias{Named::Variant, "reduce0", "interleaved_modulo"},
    Alias{Named::Variant, "reduce1", "interleaved_contiguous"},
    Alias{Named::Variant, "reduce2", "sequential"},
    Alias{Named::Variant, "reduce3", "first_add_on_load"},
    Alias{Named::Variant, "reduce4", "unrolled_last_warp"},
    Alias{Named::Variant, "reduce5", "fully_unrolled"},
    Alias{Named::Variant, "reduce6", "grid_stride"},
    Alias{Named::Variant, "reduce7", "warp_shuffle"},
    Alias{Named::Variant, "shuffle", "warp_shuffle"},
    Alias{Named::Type, "int32", "int"},
    Alias{Named::Type, "uint", "unsigned"},
    Alias{Named::Type, "uint32", "unsigned"},
    Alias{Named::Type, "long", "int64"},
    Alias{Named::Type, "float32", "float"},
    Alias{Named::Type, "float64", "double"},
    Alias{Named::Operator, "sum", "+"},
    Alias{Named::Operator, "product", "*"},
};

// The name that the alias stands for; any other text as it is. The view is of the table or of `typed`.
constexpr std::string_view resolved(Named kind, std::string_view typed) {
  for (const Alias& each : kAliases)
    if (each.kind == kind && each.alias == typed) return each.name;
  return typed;
}

// In the order of the table; empty if the name has none.
inline std::vector<std::string_view> aliasesOf(Named kind, std::string_view name) {
  std::vector<std::string_view> aliases;
  for (const Alias& each : kAliases)
    if (each.kind == kind && each.name == name) aliases.push_back(each.alias);
  return aliases;
}

// The same as words that a search finds: "reduce7 shuffle ". Each ends with a blank.
inline std::string aliasWords(Named kind, std::string_view name) {
  std::string words;
  for (const std::string_view alias : aliasesOf(kind, name)) (words += alias) += ' ';
  return words;
}

}  // namespace stridescope::model
