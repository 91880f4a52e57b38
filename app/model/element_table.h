// Everything that is written of an element type, in one table with one row per type: its names, the C++ type
// behind it, and how CUDA C++ writes its values. One more type is one more row here and one more line of
// ElementType.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <type_traits>

#include "model/experiment.h"

namespace stridescope::model {

struct ElementFacts {
  std::string_view enumerator;  // ElementType's, in C++
  std::string_view name;        // as the command line takes it and nameOf() gives it
  std::string_view cppName;     // in the kernels
  std::string_view suffix;      // of a literal
  // The identities of min and max. Infinities are spelled by their bits: INFINITY, 1e999 and 1.0f / 0.0f each
  // fail in NVRTC or in g++.
  std::string_view largest, smallest;
  std::string_view searchWords;  // what people look for it by, beside its names
  unsigned bytes = 0;
  bool isFloating = false;
};

template <class T>
struct ElementRow {
  using Type = T;
  ElementFacts facts;
};

template <class T>
constexpr ElementRow<T> elementRow(ElementFacts facts) {
  facts.bytes = sizeof(T);
  facts.isFloating = std::is_floating_point_v<T>;
  return {facts};
}

// The rows stand in the order of ElementType.
inline constexpr std::tuple kElementTable{
    elementRow<std::int32_t>({"Int", "int", "int", "", "2147483647", "-2147483647 - 1", "integer"}),
    elementRow<std::uint32_t>({"Unsigned", "unsigned", "unsigned", "u", "4294967295u", "0", "integer"}),
    elementRow<long long>({"Int64", "int64", "long long", "ll", "9223372036854775807ll",
                           "-9223372036854775807ll - 1", "integer 64-bit"}),
    elementRow<float>({"Float", "float", "float", "f", "__builtin_bit_cast(float, 0x7f800000u)",
                       "__builtin_bit_cast(float, 0xff800000u)", "single real floating point"}),
    elementRow<double>({"Double", "double", "double", "", "__builtin_bit_cast(double, 0x7ff0000000000000ull)",
                        "__builtin_bit_cast(double, 0xfff0000000000000ull)", "real floating point 64-bit"}),
};
static_assert(std::tuple_size_v<decltype(kElementTable)> == kElementTypes.size());

inline constexpr std::array kElementFacts =
    std::apply([](const auto&... rows) { return std::array{rows.facts...}; }, kElementTable);

constexpr const ElementFacts& factsOf(ElementType type) { return kElementFacts[std::size_t(type)]; }

// Calls visit(T{}) with the C++ type of the element type; 64-bit integers are long long, as in the kernels.
template <std::size_t Row = 0, class Visit>
auto withType(ElementType type, Visit visit) {
  using T = typename std::tuple_element_t<Row, decltype(kElementTable)>::Type;
  if constexpr (Row + 1 < kElementTypes.size())
    return std::size_t(type) == Row ? visit(T{}) : withType<Row + 1>(type, visit);
  else
    return visit(T{});
}

}  // namespace stridescope::model
