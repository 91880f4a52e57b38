// For which numbers of elements launching takes most of a variant's time, and from where on memory does.
// Pure.
#pragma once

#include <optional>
#include <span>

#include "model/cost_record.h"

namespace stridescope::analysis {

// Most of the time: a part whose lower bound is at least half of it. Sizes between two that were measured are
// found on a straight line over the logarithm of n.
struct SizeBounds {
  std::optional<double> launchingUntil{};  // nothing: at no measured size, or at all of them
  std::optional<double> memoryFrom{};      // likewise
};

// Of one variant and block size on one GPU, in ascending order of n.
SizeBounds sizeBounds(std::span<const model::CostRecord> costs);

}  // namespace stridescope::analysis
