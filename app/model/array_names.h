// How the kernel's text names a place in an array: by its subscripts, and by the member.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/trace.h"

namespace stridescope::model {

// How subscripts are printed: in groups of three digits, as sentences have numbers, or plain.
enum class Digits : std::uint8_t { Grouped, Plain };

// "[4][0]" for element 132 of `tile[32][33]`; "[132]" of an array that is one row.
std::string subscriptsOf(const Array& array, std::uint64_t element, Digits digits = Digits::Grouped);

// "tile[4][0]".
std::string elementName(const Array& array, std::uint64_t element, Digits digits = Digits::Grouped);

// The member that the bytes of an element from `within` on belong to; null: they belong to several, or the
// element is no struct.
const MemberType* memberAt(const Array& array, std::uint64_t within, unsigned width);

// What `width` bytes at byte `offset` of the array are: "tile[4][0]"; of one member, "a[2].x"; of several
// members, or of several elements, the first element.
std::string placeName(const Array& array, std::uint64_t offset, unsigned width,
                      Digits digits = Digits::Grouped);

// The numbers that an element is shown as: its members, or itself as one number. An element of which nothing
// is known is an unsigned number, its lowest 8 bytes.
std::vector<MemberType> cellsOf(const Array& array);

// ".x" behind an element's name; "[3]" of an element that is itself an array.
std::string memberSuffix(const MemberType& member);

}  // namespace stridescope::model
