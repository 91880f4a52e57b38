// What the Timings panel draws, worked out once a snapshot: nothing here is done again in the frames between.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "analysis/reduction_cost.h"
#include "measure/timing_board.h"

namespace stridescope::views {

inline constexpr const char* kTimingsId = "timings";  // the panel's

inline constexpr double kLongestLiveSeconds = 30;  // the Live plot's longest span
inline constexpr double kMinLiveSeconds = 5;

// Samples gathered in buckets of equal time, oldest first; a bucket without samples is left out.
// Microseconds.
struct LiveLine {
  std::vector<double> seconds;            // since the plan's start: the bucket's middle
  std::vector<double> median, low, high;  // low and high: the 10th and the 90th percentile, nearest rank
};
LiveLine liveLine(std::span<const float> seconds, std::span<const float> microseconds, double bucketSeconds);

// Medians by n or by threads of a block, ascending.
struct TimingCurve {
  std::vector<double> at, microseconds, gigabytes;
};

struct TimingLine {
  const measure::TimingSeries* series = nullptr;  // a series of the picture's snapshot
  std::string key;                                // tells it from the others
  unsigned number = 0;  // the subject's; the Ladder's variants come first, then others, then baselines
  bool recorded = false, onCpu = false;
  LiveLine live{};                             // the case that is sampled
  TimingCurve bySize{}, byBlock{};             // default blocks; at blockElements
  analysis::SizeBounds bounds{};               // bySize's
  const measure::TimingPoint* rung = nullptr;  // at ladderElements, default blocks; null: none there
};

// Where the fastest curve of the GPU and the fastest of the CPU meet, or that of one GPU and the fastest of
// several, straight between two sizes on logarithmic axes.
struct Crossover {
  double elements = 0, microseconds = 0;
  std::string ahead{};  // who is from there on: "GPU", "2 GPUs"
};

// Which of the points belong to what the window shows.
struct TimingFilter {
  model::ElementType type = model::ElementType::Int;
  model::Operator op = model::Operator::Add;
  bool warmL2 = false, graph = false;
  // How many GPUs the variant runs on together, and whether it leaves an array on each; 0: it runs on one.
  unsigned gpus = 0;
  bool arrays = false;
  std::uint64_t elements = 1;  // preferred where one size is drawn; at least 1
  friend bool operator==(const TimingFilter&, const TimingFilter&) = default;
};

struct TimingsPicture {
  std::shared_ptr<const measure::TimingSnapshot> snapshot;
  TimingFilter filter;
  std::vector<TimingLine> lines;  // those with something to draw: live ones as taught, then recorded ones
  double newestSeconds = 0, liveSpan = kMinLiveSeconds;  // the Live plot's
  std::uint64_t ladderElements = 0, blockElements = 0;   // filter.elements, or the nearest that was measured
  double readCeiling = 0;              // GB/s, measured on the GPU whose lines are drawn; 0: not known
  std::optional<Crossover> crossover;  // between live lines, else between recorded ones; never between both
  bool hasLive = false, hasRecorded = false;

  bool isOf(const measure::TimingSnapshot* other, const TimingFilter& request) const {
    return snapshot.get() == other && filter == request;
  }
};

TimingsPicture timingsPicture(std::shared_ptr<const measure::TimingSnapshot> snapshot,
                              const TimingFilter& filter);

// What recorded times are of, each pair once, in the order of the recordings.
std::vector<std::pair<model::ElementType, model::Operator>> recordedReductions(
    const measure::TimingSnapshot& snapshot);

// The point of curve at x, straight between its neighbours on logarithmic axes; nothing outside.
std::optional<double> valueAt(const std::vector<double>& at, const std::vector<double>& values, double x);

}  // namespace stridescope::views
