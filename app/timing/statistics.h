// What samples say, without assuming how they are spread.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "trace/timing_record.h"

namespace stridescope {

struct Interval {
  double low = 0, high = 0;
  friend bool operator==(const Interval&, const Interval&) = default;
};

// Of `count` samples, in their unit. Quartiles interpolate linearly between the two samples beside them (the
// definition that spreadsheets and NumPy use). Without samples everything is 0.
struct Summary {
  std::size_t count = 0;
  double least = 0, lowerQuartile = 0, median = 0, upperQuartile = 0;
  Interval medianInterval;  // holds the median with 95 % confidence
  friend bool operator==(const Summary&, const Summary&) = default;
};

// Finite values, in any order.
Summary summarize(std::span<const float> values);

// The percentile bootstrap interval of the median, exactly: what resampling comes to with ever more
// resamples. A resample's median lies at or below the k-th smallest of n samples with the probability that at
// least half of n draws do, each with probability k / n (Efron, "Bootstrap methods", 1979, section 3). Of an
// even number the lower middle one bounds below, the upper one above. `sorted` ascends and is not empty.
Interval medianInterval(std::span<const float> sorted);

// How many times as long one subject takes as another, from the turns in which both were sampled: the median
// of the turns' own ratios, so that what slows a whole turn cancels.
struct Ratio {
  std::size_t pairs = 0;
  double median = 0;
  Interval interval;  // 95 %, as above
  friend bool operator==(const Ratio&, const Ratio&) = default;
};

// Turns ascend in both. Nothing: no turn has both.
std::optional<Ratio> ratioOf(std::span<const TimingSample> subject, std::span<const TimingSample> to);

}  // namespace stridescope
