#include "model/value.h"

#include <array>
#include <bit>
#include <charconv>
#include <cmath>

namespace stridescope::model {
namespace {

template <class T>
std::string shortest(T value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  std::array<char, 40> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return {text.data(), end};
}

}  // namespace

std::string printElement(ElementType type, std::uint64_t bits) {
  switch (type) {
    case ElementType::Int:
      return std::to_string(std::int32_t(std::uint32_t(bits)));
    case ElementType::Unsigned:
      return std::to_string(std::uint32_t(bits));
    case ElementType::Int64:
      return std::to_string(std::int64_t(bits));
    case ElementType::Float:
      return shortest(std::bit_cast<float>(std::uint32_t(bits)));
    case ElementType::Double:
      return shortest(std::bit_cast<double>(bits));
  }
  return {};
}

}  // namespace stridescope::model
