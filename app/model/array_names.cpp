#include "model/array_names.h"

#include <algorithm>

#include "base/numbers.h"

namespace stridescope::model {

std::string subscriptsOf(const Array& array, std::uint64_t element, Digits digits) {
  std::string text;
  for (std::size_t k = array.extents.size(); k-- > 1;) {
    const std::uint64_t extent = std::max<std::uint64_t>(1, array.extents[k]);
    text = "[" + std::to_string(element % extent) + "]" + text;
    element /= extent;
  }
  // Beyond the array's end the first one grows: what is named need not be there.
  return "[" + (digits == Digits::Grouped ? figure(element) : std::to_string(element)) + "]" + text;
}

std::string elementName(const Array& array, std::uint64_t element, Digits digits) {
  if (array.devices > 1) {
    const unsigned device = array.deviceAt(element * array.elementBytes);
    Array copy = array;
    copy.devices = 1;
    return elementName(copy, element - device * array.copyElements(), digits) + " of GPU " +
           std::to_string(device);
  }
  return array.name + subscriptsOf(array, element, digits);
}

const MemberType* memberAt(const Array& array, std::uint64_t within, unsigned width) {
  const auto found = std::ranges::find_if(array.members, [&](const MemberType& member) {
    return within >= member.offset && within + std::max(1u, width) <= member.offset + member.bytes;
  });
  return found == array.members.end() || found->name.empty() ? nullptr : &*found;
}

std::string placeName(const Array& array, std::uint64_t offset, unsigned width, Digits digits) {
  const std::uint64_t bytes = std::max(1u, array.elementBytes);
  const MemberType* const member = memberAt(array, offset % bytes, width);
  return elementName(array, offset / bytes, digits) +
         (member == nullptr ? std::string() : memberSuffix(*member));
}

std::vector<MemberType> cellsOf(const Array& array) {
  if (!array.members.empty()) return array.members;
  MemberType whole{NumberKind::Unsigned, std::min(array.elementBytes, 8u)};
  if (array.type)
    whole.kind = isFloating(*array.type)                ? NumberKind::Floating
                 : *array.type == ElementType::Unsigned ? NumberKind::Unsigned
                                                        : NumberKind::Signed;
  return {whole};
}

std::string memberSuffix(const MemberType& member) {
  return (member.name.empty() || member.name.starts_with('[') ? "" : ".") + member.name;
}

}  // namespace stridescope::model
