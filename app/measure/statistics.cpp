#include "measure/statistics.h"

#include <algorithm>
#include <cmath>

namespace stridescope::measure {
namespace {

constexpr double kConfidence = 0.95;
constexpr double kNegligible = 1e-15;  // a share of what is already summed

// Puts the values of these ranks (ascending, within [first, last)) where sorting would put them: as far as
// that needs, which is far less than sorting.
void selectRanks(std::span<float> values, std::size_t first, std::size_t last,
                 std::span<const std::size_t> ranks) {
  if (ranks.empty()) return;
  const std::size_t middle = ranks.size() / 2, rank = ranks[middle];
  const auto at = [&](std::size_t place) { return values.begin() + std::ptrdiff_t(place); };
  std::nth_element(at(first), at(rank), at(last));
  selectRanks(values, first, rank, ranks.first(middle));
  selectRanks(values, rank + 1, last, ranks.subspan(middle + 1));
}

// Linear between the two values beside it; those are where sorting would put them.
struct Quantile {
  Quantile(std::size_t count, double fraction) {
    const double place = fraction * double(count - 1);
    below = std::size_t(place);
    above = std::min(below + 1, count - 1);
    part = place - double(below);
  }
  double of(const std::vector<float>& values) const {
    return double(values[below]) + part * (double(values[above]) - double(values[below]));
  }
  std::size_t below, above;
  double part;
};

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

MedianRanks medianRanks(std::size_t n) {
  const double tail = (1 - kConfidence) / 2;
  return {rankOf(n, (n + 1) / 2, tail) - 1, rankOf(n, n / 2 + 1, 1 - tail) - 1};
}

Summary Summarizer::of(std::span<const float> values) {
  scratch_.assign(values.begin(), values.end());
  return ofScratch();
}

Summary Summarizer::ofScratch() {
  const std::size_t count = scratch_.size();
  if (count == 0) return {};
  if (ranksFor_ != count) ranks_ = medianRanks(count);
  ranksFor_ = count;
  const Quantile lower(count, 0.25), middle(count, 0.5), upper(count, 0.75);
  std::vector<std::size_t> ranks{0,           ranks_.low,   ranks_.high,  lower.below,
                                 lower.above, middle.below, middle.above, upper.below,
                                 upper.above};
  std::ranges::sort(ranks);
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  selectRanks(scratch_, 0, count, ranks);
  return {.count = count,
          .least = double(scratch_.front()),
          .lowerQuartile = lower.of(scratch_),
          .median = middle.of(scratch_),
          .upperQuartile = upper.of(scratch_),
          .medianInterval = {double(scratch_[ranks_.low]), double(scratch_[ranks_.high])}};
}

std::optional<Ratio> Summarizer::ratio(std::span<const model::TimingSample> subject,
                                       std::span<const model::TimingSample> to) {
  scratch_.clear();
  for (auto one = subject.begin(), other = to.begin(); one != subject.end() && other != to.end();) {
    if (one->repetition < other->repetition) {
      ++one;
    } else if (other->repetition < one->repetition) {
      ++other;
    } else {
      scratch_.push_back(one->microseconds / other->microseconds);
      ++one, ++other;
    }
  }
  if (scratch_.empty())
    for (std::size_t i = 0; i < std::min(subject.size(), to.size()); ++i)
      scratch_.push_back(subject[i].microseconds / to[i].microseconds);
  if (scratch_.empty()) return std::nullopt;
  const Summary summary = ofScratch();
  return Ratio{.pairs = summary.count, .median = summary.median, .interval = summary.medianInterval};
}

Summary summarize(std::span<const float> values) { return Summarizer().of(values); }

std::optional<Ratio> ratioOf(std::span<const model::TimingSample> subject,
                             std::span<const model::TimingSample> to) {
  return Summarizer().ratio(subject, to);
}

}  // namespace stridescope::measure
