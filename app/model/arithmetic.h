// Elements as bits, combined as the kernels combine them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>

#include "model/experiment.h"

namespace stridescope::model {

// Everything that is written of an element type, in one table with one row per type: its names, the C++ type
// behind it, and how CUDA C++ writes its values. One more type is one more row here and one more line of
// ElementType.

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

// Elements as bits and as text.

// The element whose bits are `bits` (zero-extended), printed so that it reads back exactly: integers in
// decimal, floating values in the shortest form that round-trips, "inf", "-inf", "nan".
std::string printElement(ElementType type, std::uint64_t bits);

// The bits of the element that printElement() prints so; any nan's bits for a nan. nullopt for every other
// text.
std::optional<std::uint64_t> readPrintedElement(ElementType type, std::string_view text);

// What leaves the other operand of an operator as it is.

// As bits of the type: 0, 1, the largest, the smallest, all ones. Floating min and max have the infinities.
// Operator::Custom has 0 here: the experiment states its own.
std::uint64_t identityBits(ElementType type, Operator op);

// The identity of the experiment's operator, which may be a person's own.
inline std::uint64_t identityOf(const Experiment& experiment) {
  return experiment.op == Operator::Custom ? experiment.custom.identityBits
                                           : identityBits(experiment.type, experiment.op);
}

// Integers as they are without the limits of an element type, and the words for one that did not fit.

// 2^63 elements of 64 bits add up to less than its limits.
__extension__ using WideInteger = __int128;

// `bits`: an element of an integer type.
WideInteger wideOf(ElementType type, std::uint64_t bits);

std::string print(WideInteger value);  // "-12345"

// "the sum wraps: exact 4 999 950 000, wrapped to 704 982 704 in 32 bits". Both values printed, ungrouped.
std::string wrapClause(ElementType type, Operator op, std::string_view exact, std::string_view wrapped);

// Whether a check's note (Trace::checkNote) says that the result wrapped.
bool tellsOfAWrap(std::string_view checkNote);

}  // namespace stridescope::model
