// The newest samples of one subject at one case, in memory that does not grow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/timing_record.h"

namespace stridescope::measure {

inline constexpr std::size_t kKeptSamples = 4096;

class SampleRing {
 public:
  void add(const model::TimingSample& sample, float seconds) {
    if (samples_.size() < kKeptSamples) {
      samples_.push_back(sample);
      seconds_.push_back(seconds);
    } else {
      samples_[oldest_] = sample;
      seconds_[oldest_] = seconds;
      oldest_ = (oldest_ + 1) % kKeptSamples;
    }
    ++taken_;
  }

  std::uint64_t taken() const { return taken_; }  // ever
  std::size_t kept() const { return samples_.size(); }
  std::size_t bytesHeld() const {
    return samples_.capacity() * sizeof(model::TimingSample) + seconds_.capacity() * sizeof(float);
  }

  // Oldest first.
  std::vector<model::TimingSample> samples() const { return inOrder(samples_); }
  std::vector<float> seconds() const { return inOrder(seconds_); }  // when each was taken

 private:
  template <class Value>
  std::vector<Value> inOrder(const std::vector<Value>& ring) const {
    const auto begin = ring.begin() + std::ptrdiff_t(oldest_);
    std::vector<Value> values(begin, ring.end());
    values.insert(values.end(), ring.begin(), begin);
    return values;
  }

  std::vector<model::TimingSample> samples_;
  std::vector<float> seconds_;
  std::size_t oldest_ = 0;
  std::uint64_t taken_ = 0;
};

}  // namespace stridescope::measure
