// What samples say, without assuming how they are spread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/describe.h"
#include "model/timing_record.h"

namespace stridescope::measure {

struct Interval {
  double low = 0, high = 0;
  friend bool operator==(const Interval&, const Interval&) = default;
};

// What `count` samples say, in their unit. Quartiles interpolate linearly between the two samples beside them
// (the definition that spreadsheets and NumPy use). Without samples everything is 0.
struct Summary {
  std::size_t count = 0;
  double least = 0, lowerQuartile = 0, median = 0, upperQuartile = 0;
  Interval medianInterval;  // holds the median with 95 % confidence
  friend bool operator==(const Summary&, const Summary&) = default;
};

// The fields as messages have them (base/describe.h).
template <class Fields, Described<Interval> Value>
constexpr void describe(Fields&& fields, Value& interval) {
  fields("low", interval.low);
  fields("high", interval.high);
}

template <class Fields, Described<Summary> Value>
constexpr void describe(Fields&& fields, Value& summary) {
  fields("count", summary.count);
  fields("least", summary.least);
  fields("lower_quartile", summary.lowerQuartile);
  fields("median", summary.median);
  fields("upper_quartile", summary.upperQuartile);
  fields("median_interval", summary.medianInterval);
}

// Which two of n samples in ascending order (counted from 0) bound the median: the percentile bootstrap
// interval, exactly, which is what resampling comes to with ever more resamples. A resample's median lies at
// or below the k-th smallest of n samples with the probability that at least half of n draws do, each with
// probability k / n (Efron, "Bootstrap methods", 1979, section 3). If n is even, the lower middle sample
// bounds below, the upper one above. n is not 0.
struct MedianRanks {
  std::size_t low = 0, high = 0;
};
MedianRanks medianRanks(std::size_t n);

// How many times as long one subject takes as another, from the repetitions in which both were sampled: the
// median of the repetitions' own ratios, so that what slows a whole repetition cancels. Where no repetition
// has both, because each was sampled alone with a third one, their samples are paired in the order in which
// they were taken.
struct Ratio {
  std::size_t pairs = 0;
  double median = 0;
  Interval interval;  // 95 %, as above
  friend bool operator==(const Ratio&, const Ratio&) = default;
};

// Keeps its memory, and the ranks of the last number of samples, from one call to the next. Use it on one
// thread.
class Summarizer {
 public:
  Summary of(std::span<const float> values);  // finite, in any order
  // Repetitions ascend in both. Nothing: one of them has no sample.
  std::optional<Ratio> ratio(std::span<const model::TimingSample> subject,
                             std::span<const model::TimingSample> to);

 private:
  Summary ofScratch();

  std::vector<float> scratch_;
  std::size_t ranksFor_ = 0;
  MedianRanks ranks_;
};

// The same for one call.
Summary summarize(std::span<const float> values);
std::optional<Ratio> ratioOf(std::span<const model::TimingSample> subject,
                             std::span<const model::TimingSample> to);

// The newest samples of one subject at one case, in memory that does not grow.

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
