// The types of a kernel's parameters.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/describe.h"

namespace stridescope::engine::access {

enum class NumberKind : std::uint8_t { Signed, Unsigned, Floating, Half, Bfloat, Bytes };
constexpr auto allOf(NumberKind) {
  return std::array{NumberKind::Signed, NumberKind::Unsigned, NumberKind::Floating,
                    NumberKind::Half,   NumberKind::Bfloat,   NumberKind::Bytes};
}

struct MemberType {
  NumberKind kind{};
  unsigned bytes = 0, offset = 0;
};
struct ParameterType {
  bool isPointer = false, isConst = false;  // const: what it points to
  bool isWhole = true;                      // all of it is among the members
  unsigned bytes = 0;                       // of the value, or of one element that is pointed to
  std::vector<MemberType> members{};
};
struct KernelTypes {
  std::vector<ParameterType> parameters{};
  // By parameter: the bytes of its default argument; empty: it has none, or none is asked for.
  std::vector<std::vector<std::uint8_t>> defaults{};
};

template <class Fields, Described<MemberType> Value>
constexpr void describe(Fields&& fields, Value& member) {
  fields("kind", member.kind);
  fields("bytes", member.bytes);
  fields("offset", member.offset);
}
template <class Fields, Described<ParameterType> Value>
constexpr void describe(Fields&& fields, Value& parameter) {
  fields("pointer", parameter.isPointer);
  fields("const", parameter.isConst);
  fields("whole", parameter.isWhole);
  fields("bytes", parameter.bytes);
  fields("members", parameter.members);
}
template <class Fields, Described<KernelTypes> Value>
constexpr void describe(Fields&& fields, Value& types) {
  fields("parameters", types.parameters);
  fields("defaults", types.defaults);
}

}  // namespace stridescope::engine::access
