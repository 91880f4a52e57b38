// The shape of a launch: CUDA's dim3 counts a grid in blocks and a block in threads.
#pragma once

#include <cstdint>
#include <string>

#include "base/describe.h"

namespace stridescope::model {

// What it counts is numbered along x, then y, then z, as CUDA numbers it.
struct Dim3 {
  std::uint64_t x = 1;  // 64 bits wide: a plan for any number of elements has blocks that no GPU launches
  unsigned y = 1, z = 1;

  constexpr Dim3() = default;
  constexpr Dim3(std::uint64_t x_, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}

  // How many there are in all, modulo 2^64; exact within CUDA's limits (trace_check.h).
  constexpr std::uint64_t count() const { return x * y * z; }
  constexpr bool isOneRow() const { return y == 1 && z == 1; }
  friend bool operator==(const Dim3&, const Dim3&) = default;
};

template <class Fields, Described<Dim3> Value>
constexpr void describe(Fields&& fields, Value& size) {
  fields("x", size.x);
  fields("y", size.y);
  fields("z", size.z);
}

// "8", "8 x 2 x 1".
inline std::string text(const Dim3& size) {
  std::string text = std::to_string(size.x);
  if (!size.isOneRow()) text += " x " + std::to_string(size.y) + " x " + std::to_string(size.z);
  return text;
}

}  // namespace stridescope::model
