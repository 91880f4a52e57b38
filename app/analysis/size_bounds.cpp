#include "analysis/size_bounds.h"

#include <cmath>

#include "analysis/time_parts.h"

namespace stridescope::analysis {
namespace {

constexpr double kMost = 0.5;

// Where the share crosses kMost between two sizes, in that direction; nullopt: it does not.
std::optional<double> crossing(double firstSize, double firstShare, double nextSize, double nextShare,
                               bool upwards) {
  const bool crosses =
      upwards ? firstShare < kMost && nextShare >= kMost : firstShare >= kMost && nextShare < kMost;
  if (!crosses) return std::nullopt;
  const double part = (kMost - firstShare) / (nextShare - firstShare);
  return std::exp2(std::log2(firstSize) + part * (std::log2(nextSize) - std::log2(firstSize)));
}

}  // namespace

SizeBounds sizeBounds(std::span<const model::CostRecord> costs) {
  SizeBounds bounds;
  for (std::size_t i = 1; i < costs.size(); ++i) {
    const model::CostRecord &first = costs[i - 1], &next = costs[i];
    if (first.experiment.elements == 0 || first.microseconds <= 0 || next.microseconds <= 0) continue;
    const auto n = [](const model::CostRecord& cost) { return double(cost.experiment.elements); };
    const auto launching = [](const model::CostRecord& cost) {
      return cost.emptyMicroseconds / cost.microseconds;
    };
    const auto memory = [](const model::CostRecord& cost) {
      return timePartsOf({.cost = cost}).memory / cost.microseconds;
    };
    // The last crossing counts: small grids' times are uneven.
    if (const auto size = crossing(n(first), launching(first), n(next), launching(next), false))
      bounds.launchingUntil = size;
    if (const auto size = crossing(n(first), memory(first), n(next), memory(next), true))
      bounds.memoryFrom = size;
  }
  return bounds;
}

}  // namespace stridescope::analysis
