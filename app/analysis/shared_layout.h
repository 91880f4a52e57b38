// Where the shared arrays lie in a snapshot: one after another, in the order of LaunchTrace::shared.
#pragma once

#include <array>
#include <cstddef>

#include "model/trace.h"

namespace stridescope::analysis {

class SharedLayout {
 public:
  explicit SharedLayout(const model::LaunchTrace& launch) {
    arrays_ =
        launch.recorded().shared.size() < begin_.size() ? launch.recorded().shared.size() : begin_.size();
    for (std::size_t i = 0; i < arrays_; ++i) {
      begin_[i] = bytes_;
      bytes_ += std::size_t(launch.recorded().shared[i].bytes);
    }
  }

  std::size_t bytes() const { return bytes_; }  // all arrays together

  // Where array k begins.
  std::size_t beginOf(std::size_t array) const { return begin_[array]; }

  // Whether the bytes of an access to shared memory lie in its array, as in a trace without a fault they do.
  // What writes to a copy of shared memory asks all the same.
  bool holds(const model::Event& event) const {
    const std::size_t array = event.sharedArray();
    const std::size_t end = array + 1 < begin_.size() && array + 1 < arrays_ ? begin_[array + 1] : bytes_;
    const std::size_t bytes = event.width() < 8 ? event.width() : 8;
    return array < arrays_ && event.offset() <= end - begin_[array] &&
           bytes <= end - begin_[array] - std::size_t(event.offset());
  }

  // Where the bytes of an access to shared memory (or of a Copied event) begin.
  std::size_t beginOf(const model::Event& event) const {
    return begin_[event.sharedArray()] + std::size_t(event.offset());
  }

 private:
  std::array<std::size_t, recording::kMaxSharedArrays> begin_{};
  std::size_t arrays_ = 0, bytes_ = 0;
};

}  // namespace stridescope::analysis
