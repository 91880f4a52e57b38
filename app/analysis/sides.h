// The two sides of a comparison.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace stridescope::analysis {

enum class Side : std::uint8_t { Left, Right };
inline constexpr std::array kSides{Side::Left, Side::Right};
constexpr Side otherOf(Side side) { return side == Side::Left ? Side::Right : Side::Left; }
constexpr std::string_view nameOf(Side side) { return side == Side::Left ? "left" : "right"; }

template <class Value>
struct BothSides {
  Value left{}, right{};

  Value& operator[](Side side) { return side == Side::Left ? left : right; }
  const Value& operator[](Side side) const { return side == Side::Left ? left : right; }
  friend bool operator==(const BothSides&, const BothSides&) = default;
};

}  // namespace stridescope::analysis
