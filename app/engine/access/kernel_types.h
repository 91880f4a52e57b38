// The types of a kernel's parameters.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/describe.h"
#include "model/member_type.h"

namespace stridescope::engine::access {

using model::MemberType;
using model::NumberKind;

// A pointer that is a member of a struct, and what it points to.
struct PointerMember {
  std::uint32_t member = 0;  // which of the struct's
  bool isConst = false, isWhole = true;
  unsigned bytes = 0;
  std::vector<MemberType> members{};
  unsigned alignment = 0;  // of what it points to; 0: it is not known
};
struct ParameterType {
  bool isPointer = false, isConst = false;  // const: what it points to
  bool isWhole = true;                      // all of it is among the members
  unsigned bytes = 0;                       // of the value, or of one element that is pointed to
  std::vector<MemberType> members{};
  std::vector<PointerMember> pointers{};  // of a value, those among its members
  unsigned alignment = 0;                 // of the value, or of one element; 0: it is not known
  bool hasBitFields = false;              // among its members
};
struct KernelTypes {
  std::vector<ParameterType> parameters{};
  // By parameter: the bytes of its default argument; empty: it has none, or none is asked for.
  std::vector<std::vector<std::uint8_t>> defaults{};
};

template <class Fields, Described<PointerMember> Value>
constexpr void describe(Fields&& fields, Value& pointer) {
  fields("member", pointer.member);
  fields("const", pointer.isConst);
  fields("whole", pointer.isWhole);
  fields("bytes", pointer.bytes);
  fields("members", pointer.members);
  fields("alignment", pointer.alignment);
}
template <class Fields, Described<ParameterType> Value>
constexpr void describe(Fields&& fields, Value& parameter) {
  fields("pointer", parameter.isPointer);
  fields("const", parameter.isConst);
  fields("whole", parameter.isWhole);
  fields("bytes", parameter.bytes);
  fields("members", parameter.members);
  fields("pointers", parameter.pointers);
  fields("alignment", parameter.alignment);
  fields("bit_fields", parameter.hasBitFields);
}
template <class Fields, Described<KernelTypes> Value>
constexpr void describe(Fields&& fields, Value& types) {
  fields("parameters", types.parameters);
  fields("defaults", types.defaults);
}

}  // namespace stridescope::engine::access
