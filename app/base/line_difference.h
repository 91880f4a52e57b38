// Two texts line by line: which lines they share, and what differs in the others.
//
// Lines are compared word by word: blanks do not count. The lines are set beside each other, in their order,
// in the way that has the most words in common; two lines that differ stand beside each other if half of
// their words are the same.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace stridescope {

// Bytes of a line.
struct TextSpan {
  std::size_t begin = 0, end = 0;
  friend bool operator==(const TextSpan&, const TextSpan&) = default;
};

struct LinePair {
  std::optional<std::size_t> left, right;  // lines, from 0; nullopt: that text has none here
  bool same = false;
  // What differs in two lines that stand beside each other; a line that stands alone differs as a whole.
  std::vector<TextSpan> leftSpans{}, rightSpans{};
  friend bool operator==(const LinePair&, const LinePair&) = default;
};

// These count as the same word: what each text calls itself.
struct SameWord {
  std::string_view left{}, right{};
};

// Has every line of both texts once. If texts of many thousand lines have little in common, only their common
// first and last lines are set beside each other.
std::vector<LinePair> lineDifference(std::span<const std::string_view> left,
                                     std::span<const std::string_view> right, SameWord name = {});

}  // namespace stridescope
