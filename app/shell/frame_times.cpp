#include "shell/frame_times.h"

#include <algorithm>

namespace stridescope::shell {
namespace {

// The smallest value that at least `percent` of the sorted values do not exceed.
double nearestRank(const double* sorted, std::size_t count, std::size_t percent) {
  const std::size_t rank = (count * percent + 99) / 100;
  return sorted[std::max<std::size_t>(rank, 1) - 1];
}

}  // namespace

void FrameTimes::add(double ms) {
  ms_[next_] = ms;
  next_ = (next_ + 1) % kFramesKept;
  kept_ = std::min(kept_ + 1, kFramesKept);
}

FrameTimeSummary FrameTimes::summary() const {
  if (kept_ == 0) return {};
  std::array<double, kFramesKept> sorted = ms_;
  std::sort(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(kept_));
  return {kept_, nearestRank(sorted.data(), kept_, 50), nearestRank(sorted.data(), kept_, 95),
          sorted[kept_ - 1]};
}

}  // namespace stridescope::shell
