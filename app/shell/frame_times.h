// How long the latest frames took.
#pragma once

#include <array>
#include <cstddef>

namespace stridescope::shell {

struct FrameTimeSummary {
  std::size_t frames = 0;                         // how many the figures below are of
  double medianMs = 0, p95Ms = 0, longestMs = 0;  // nearest rank; 0 without frames
};

class FrameTimes {
 public:
  static constexpr std::size_t kFramesKept = 1024;

  void add(double ms);
  void clear() { kept_ = next_ = 0; }

  // Of the latest kFramesKept frames.
  FrameTimeSummary summary() const;

 private:
  std::array<double, kFramesKept> ms_{};
  std::size_t kept_ = 0, next_ = 0;
};

}  // namespace stridescope::shell
