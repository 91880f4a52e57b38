// Where the shared arrays lie in a snapshot: one after another, in the order of LaunchTrace::shared.
#pragma once

#include <array>
#include <cstddef>

#include "trace/trace.h"

namespace stridescope {

class SharedLayout {
 public:
  explicit SharedLayout(const LaunchTrace& launch) {
    for (std::size_t i = 0; i < launch.shared.size(); ++i) {
      begin_[i] = bytes_;
      bytes_ += std::size_t(launch.shared[i].bytes);
    }
  }

  std::size_t bytes() const { return bytes_; }  // of all arrays

  // Where array k begins.
  std::size_t beginOf(std::size_t array) const { return begin_[array]; }

  // Where the bytes of an access to shared memory (or of a Copied event) begin.
  std::size_t beginOf(const Event& event) const {
    return begin_[event.sharedArray()] + std::size_t(event.offset());
  }

 private:
  std::array<std::size_t, recording::kMaxSharedArrays> begin_{};
  std::size_t bytes_ = 0;
};

}  // namespace stridescope
