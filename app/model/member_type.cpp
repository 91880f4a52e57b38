#include "model/member_type.h"

#include <bit>
#include <cmath>
#include <limits>

#include "base/numbers.h"
#include "model/arithmetic.h"

namespace stridescope::model {
namespace {

// IEEE 754's binary16.
float floatOfHalf(std::uint16_t bits) {
  const int exponent = bits >> 10 & 0x1f, fraction = bits & 0x3ff;
  float value = 0;
  if (exponent == 0x1f)
    value = fraction == 0 ? std::numeric_limits<float>::infinity() : std::numeric_limits<float>::quiet_NaN();
  else if (exponent == 0)
    value = std::ldexp(float(fraction), -24);
  else
    value = std::ldexp(float(fraction + 0x400), exponent - 25);
  return (bits & 0x8000) != 0 ? -value : value;
}

// The upper half of a float.
float floatOfBfloat(std::uint16_t bits) { return std::bit_cast<float>(std::uint32_t(bits) << 16); }

std::string printFloat(float value) {
  return printElement(ElementType::Float, std::bit_cast<std::uint32_t>(value));
}

}  // namespace

std::string_view nameOf(NumberKind kind) {
  switch (kind) {
    case NumberKind::Signed:
      return "signed";
    case NumberKind::Unsigned:
      return "unsigned";
    case NumberKind::Floating:
      return "floating";
    case NumberKind::Half:
      return "half";
    case NumberKind::Bfloat:
      return "bfloat";
    case NumberKind::Bytes:
      return "bytes";
    case NumberKind::Bool:
      return "bool";
  }
  return "";
}

std::optional<ElementType> elementTypeOf(const MemberType& member) {
  using enum ElementType;
  if (member.kind == NumberKind::Floating && member.bytes == 4) return Float;
  if (member.kind == NumberKind::Floating && member.bytes == 8) return Double;
  if (member.kind == NumberKind::Signed && member.bytes == 4) return Int;
  if (member.kind == NumberKind::Signed && member.bytes == 8) return Int64;
  if (member.kind == NumberKind::Unsigned && member.bytes == 4) return Unsigned;
  return std::nullopt;
}

std::string cppNameOf(const MemberType& member) {
  if (const auto type = elementTypeOf(member)) return std::string(cppNameOf(*type));
  switch (member.kind) {
    case NumberKind::Half:
      return "__half";
    case NumberKind::Bfloat:
      return "__nv_bfloat16";
    case NumberKind::Bool:
      return "bool";
    case NumberKind::Signed:
    case NumberKind::Unsigned: {
      const std::string sign = member.kind == NumberKind::Unsigned ? "unsigned " : "";
      return sign + (member.bytes == 1 ? "char" : member.bytes == 2 ? "short" : "long long");
    }
    default:
      return figure(member.bytes) + " bytes";
  }
}

std::string printNumber(const MemberType& member, std::uint64_t bits) {
  const unsigned unused = member.bytes < 8 ? 64 - member.bytes * 8 : 0;
  bits = bits << unused >> unused;
  if (const auto type = elementTypeOf(member)) return printElement(*type, bits);
  switch (member.kind) {
    case NumberKind::Half:
      return printFloat(floatOfHalf(std::uint16_t(bits)));
    case NumberKind::Bfloat:
      return printFloat(floatOfBfloat(std::uint16_t(bits)));
    case NumberKind::Signed:
      return std::to_string(std::int64_t(bits << unused) >> unused);
    default:
      return std::to_string(bits);
  }
}

}  // namespace stridescope::model
