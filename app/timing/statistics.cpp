#include "timing/statistics.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace stridescope {
namespace {

constexpr double kConfidence = 0.95;
constexpr double kNegligible = 1e-15;  // of what is already summed

// Linear between the order statistics beside it. `sorted` is not empty.
double quantile(std::span<const float> sorted, double fraction) {
  const double place = fraction * double(sorted.size() - 1);
  const auto below = std::size_t(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return double(sorted[below]) + (place - double(below)) * (double(sorted[above]) - double(sorted[below]));
}

double binomialTerm(std::size_t n, double p, std::size_t j) {
  const double count = double(n), chosen = double(j);
  return std::exp(std::lgamma(count + 1) - std::lgamma(chosen + 1) - std::lgamma(count - chosen + 1) +
                  chosen * std::log(p) + (count - chosen) * std::log1p(-p));
}

// The probability of `least` or more hits in n draws with probability p each. The shorter tail is summed,
// whose terms fall from the first one on.
double atLeast(std::size_t n, double p, std::size_t least) {
  if (least == 0 || p >= 1) return 1;
  if (p <= 0) return 0;
  const double odds = p / (1 - p);
  double sum = 0;
  if (double(least) > p * double(n)) {
    double term = binomialTerm(n, p, least);
    for (std::size_t j = least; j <= n; ++j) {
      sum += term;
      if (term < kNegligible * sum) break;
      term *= double(n - j) / double(j + 1) * odds;
    }
    return std::min(sum, 1.0);
  }
  double term = binomialTerm(n, p, least - 1);
  for (std::size_t j = least; j-- > 0;) {
    sum += term;
    if (term < kNegligible * sum) break;
    term *= double(j) / double(n - j + 1) / odds;
  }
  return std::max(0.0, 1 - sum);
}

// The smallest k for which a resample's `draw`-th smallest lies at or below the k-th smallest sample with at
// least that probability; both count from 1.
std::size_t rankOf(std::size_t n, std::size_t draw, double probability) {
  std::size_t low = 1, high = n;
  while (low < high) {
    const std::size_t k = low + (high - low) / 2;
    if (atLeast(n, double(k) / double(n), draw) >= probability)
      high = k;
    else
      low = k + 1;
  }
  return low;
}

}  // namespace

Interval medianInterval(std::span<const float> sorted) {
  const std::size_t n = sorted.size();
  const double tail = (1 - kConfidence) / 2;
  return {double(sorted[rankOf(n, (n + 1) / 2, tail) - 1]),
          double(sorted[rankOf(n, n / 2 + 1, 1 - tail) - 1])};
}

Summary summarize(std::span<const float> values) {
  if (values.empty()) return {};
  std::vector<float> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  return {.count = sorted.size(),
          .least = double(sorted.front()),
          .lowerQuartile = quantile(sorted, 0.25),
          .median = quantile(sorted, 0.5),
          .upperQuartile = quantile(sorted, 0.75),
          .medianInterval = medianInterval(sorted)};
}

std::optional<Ratio> ratioOf(std::span<const TimingSample> subject, std::span<const TimingSample> to) {
  std::vector<float> ratios;
  for (auto one = subject.begin(), other = to.begin(); one != subject.end() && other != to.end();) {
    if (one->turn < other->turn) {
      ++one;
    } else if (other->turn < one->turn) {
      ++other;
    } else {
      ratios.push_back(one->microseconds / other->microseconds);
      ++one, ++other;
    }
  }
  if (ratios.empty()) return std::nullopt;
  const Summary summary = summarize(ratios);
  return Ratio{.pairs = ratios.size(), .median = summary.median, .interval = summary.medianInterval};
}

}  // namespace stridescope
