// For which numbers of elements launching takes most of a variant's time, and from where on memory does.
// Pure.
#pragma once

#include <optional>
#include <span>

namespace stridescope::analysis {

// Most of the time: a part whose lower bound is at least half of it. Sizes between two that were measured are
// found on a straight line over the logarithm of n.
struct SizeBounds {
  std::optional<double> launchingUntil{};  // nothing: at no measured size, or at all of them
  std::optional<double> memoryFrom{};      // likewise
};

// Microseconds: the whole reduction, launching alone, and memory alone.
struct SizePoint {
  double elements = 0;
  double time = 0, launching = 0, memory = 0;
};

// Requires the points of one variant on one GPU, in ascending order of n.
SizeBounds sizeBounds(std::span<const SizePoint> points);

}  // namespace stridescope::analysis
