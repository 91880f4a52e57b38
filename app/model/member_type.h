// The numbers that elements of arrays and arguments of kernels are made of: any of CUDA's scalar types, alone
// or as a member of a struct.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/describe.h"
#include "model/kernel.h"

namespace stridescope::model {

enum class NumberKind : std::uint8_t { Signed, Unsigned, Floating, Half, Bfloat, Bytes, Bool };
std::string_view nameOf(NumberKind kind);  // "signed", "unsigned", "floating", ...
constexpr auto allOf(NumberKind) {
  return std::array{NumberKind::Signed, NumberKind::Unsigned, NumberKind::Floating, NumberKind::Half,
                    NumberKind::Bfloat, NumberKind::Bytes,    NumberKind::Bool};
}

struct MemberType {
  NumberKind kind{};
  unsigned bytes = 0, offset = 0;
  std::string name{};  // within the whole: "in", "size.x", "weights[2]"; empty: the whole is this number
  friend bool operator==(const MemberType&, const MemberType&) = default;
};

// The element type that is this number; nullopt: reductions have none that is.
std::optional<ElementType> elementTypeOf(const MemberType& member);

// As CUDA C++ has it: "unsigned char", "long long", "__half"; "8 bytes" of a pointer.
std::string cppNameOf(const MemberType& member);

// The number whose bits are `bits` (those above its own do not count), so that it reads back exactly.
std::string printNumber(const MemberType& member, std::uint64_t bits);

// The fields as files and messages have them (base/describe.h).
template <class Fields, Described<MemberType> Value>
constexpr void describe(Fields&& fields, Value& member) {
  fields("kind", member.kind);
  fields("bytes", member.bytes);
  fields("offset", member.offset);
  fields("name", member.name);
}

}  // namespace stridescope::model
