// Reads choices off a fuzzer's input; where it has ended, everything is 0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>

namespace stridescope::fuzz {

class InputBytes {
 public:
  explicit InputBytes(std::span<const std::uint8_t> bytes) : left_(bytes) {}

  bool atEnd() const { return left_.empty(); }

  std::uint8_t byte() {
    if (left_.empty()) return 0;
    const std::uint8_t value = left_.front();
    left_ = left_.subspan(1);
    return value;
  }
  std::uint64_t bits() {
    std::uint64_t value = 0;
    for (int i = 0; i < 8; ++i) value = value << 8 | byte();
    return value;
  }
  bool flip() { return (byte() & 1) != 0; }
  // 0 to bound - 1; 0 of a bound of 0. Takes as few bytes as the bound needs.
  std::uint64_t below(std::uint64_t bound) {
    if (bound <= 1) return 0;
    std::uint64_t value = byte();
    for (std::uint64_t reach = 0xff; reach < bound - 1 && reach != ~std::uint64_t{0};
         reach = reach << 8 | 0xff)
      value = value << 8 | byte();
    return value % bound;
  }
  template <class T>
  T oneOf(std::initializer_list<T> values) {
    return *(values.begin() + below(values.size()));
  }
  // Numbers at which something may change, or any.
  std::uint64_t edge() {
    const std::uint64_t power = std::uint64_t{1} << below(64);
    switch (byte() % 4) {
      case 0:
        return below(256);
      case 1:
        return power;
      case 2:
        return power - 1;
      default:
        return bits();
    }
  }
  std::string text(std::size_t most) {
    std::string text;
    for (std::size_t length = below(most + 1); length > 0 && !atEnd(); --length) text += char(byte());
    return text;
  }
  std::span<const std::uint8_t> rest() const { return left_; }

 private:
  std::span<const std::uint8_t> left_;
};

}  // namespace stridescope::fuzz
