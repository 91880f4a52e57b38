// What a person chose to time, and the plan that it makes.
#pragma once

#include <cstdint>

#include "measure/timing_board.h"
#include "model/experiment.h"

namespace stridescope::session {

// What one start goes through.
enum class TimingSweep : std::uint8_t {
  OneSize,     // one n, again and again until it is stopped
  Sizes,       // from kMinSweptSize to kMaxSweptSize, kSecondsPerCase each
  BlockSizes,  // one n with blocks of kSweptBlockSizes, as long each
};

inline constexpr std::uint64_t kDefaultTimedElements = 1ull << 24;
inline constexpr std::uint64_t kMinSweptSize = 1ull << 10, kMaxSweptSize = 1ull << 28;
inline constexpr std::uint64_t kSweptSizeFactor = 4;  // from one to the next
inline constexpr unsigned kMinSweptBlock = 32, kMaxSweptBlock = 1024;
inline constexpr double kSecondsPerCase = 1;

struct TimingChoices {
  std::uint64_t elements = kDefaultTimedElements;  // where the sweep is not over sizes
  bool everyVariant = false;  // that offers the type and operator; else the ladder's and the selected one
  bool baselines = true;      // CUB, Thrust, the CPU
  bool warmL2 = false, graph = false;  // TimingCase
  friend bool operator==(const TimingChoices&, const TimingChoices&) = default;
};

// The plan for the experiment's type and operator, which must be timed (isTimed). Variants that are wrong on
// purpose and those that no GPU runs are left out; so are the CPU's baselines where block sizes are swept.
measure::TimingPlan timingPlan(const model::Experiment& experiment, const TimingChoices& choices,
                               TimingSweep sweep);

// Where there is no GPU: the CPU's baselines alone, whatever was chosen.
measure::TimingPlan cpuTimingPlan(const model::Experiment& experiment, const TimingChoices& choices,
                                  TimingSweep sweep);

}  // namespace stridescope::session
