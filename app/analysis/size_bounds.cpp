#include "analysis/size_bounds.h"

#include <cmath>
namespace stridescope::analysis {
namespace {

constexpr double kHalf = 0.5;

// Where the share crosses kMost between two sizes, in that direction; nullopt: it does not.
std::optional<double> crossing(double firstSize, double firstShare, double nextSize, double nextShare,
                               bool upwards) {
  const bool crosses =
      upwards ? firstShare < kHalf && nextShare >= kHalf : firstShare >= kHalf && nextShare < kHalf;
  if (!crosses) return std::nullopt;
  const double part = (kHalf - firstShare) / (nextShare - firstShare);
  return std::exp2(std::log2(firstSize) + part * (std::log2(nextSize) - std::log2(firstSize)));
}

}  // namespace

SizeBounds sizeBounds(std::span<const SizePoint> points) {
  SizeBounds bounds;
  for (std::size_t i = 1; i < points.size(); ++i) {
    const SizePoint &first = points[i - 1], &next = points[i];
    if (first.elements <= 0 || first.time <= 0 || next.time <= 0) continue;
    // The last crossing counts: small grids' times are uneven.
    if (const auto size = crossing(first.elements, first.launching / first.time, next.elements,
                                   next.launching / next.time, false))
      bounds.launchingUntil = size;
    if (const auto size =
            crossing(first.elements, first.memory / first.time, next.elements, next.memory / next.time, true))
      bounds.memoryFrom = size;
  }
  return bounds;
}

}  // namespace stridescope::analysis
