// What is timed, and how: the timing board and a person's choices for it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "model/experiment.h"

namespace stridescope::measure {
class TimingBoard;
struct TimingPlan;
struct TimingSnapshot;
}  // namespace stridescope::measure

namespace stridescope::session {

// What a person chose to time, and the plan that it makes.

// What one start goes through.
enum class TimingSweep : std::uint8_t {
  OneSize,     // one n, again and again until it is stopped
  Sizes,       // from kMinSweptSize to kMaxSweptSize, kSecondsPerCase each
  BlockSizes,  // one n with blocks of kSweptBlockSizes, as long each
};

inline constexpr std::uint64_t kMinSweptSize = 1ull << 10, kMaxSweptSize = 1ull << 28;
inline constexpr std::uint64_t kSweptSizeFactor = 4;  // from one to the next
inline constexpr unsigned kMinSweptBlock = 32, kMaxSweptBlock = 1024;
inline constexpr double kSecondsPerCase = 1;

struct TimingChoices {
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

// What there is to time, and on what.
struct TimingTarget {
  model::Experiment experiment;  // its variant, type, operator and, where the sweep is not over sizes, n
  std::optional<unsigned> gpu;   // the driver's number; nullopt: none can be used, as far as is known
};

class Measurements {
 public:
  // Without a board nothing is timed. `target` says what is asked for at the moment of the call.
  Measurements(std::shared_ptr<measure::TimingBoard> board, std::function<TimingTarget()> target);
  Measurements(const Measurements&) = delete;
  Measurements& operator=(const Measurements&) = delete;

  // What was timed, live and recorded; null without a board. The same pointer until something changed.
  std::shared_ptr<const measure::TimingSnapshot> timings() const;
  const TimingChoices& choices() const { return choices_; }
  std::uint64_t elements() const;  // how many are timed where the sweep is not over sizes (timedElements)
  bool isTiming() const;           // a plan is in progress, or waits
  bool canTimeOnGpu() const { return target_().gpu.has_value(); }
  std::string whyNotTimed(TimingSweep sweep) const;  // a sentence; empty: it can be started
  TimingSweep sweep() const { return sweep_; }       // the one that was started last
  std::optional<std::string> csv() const;            // all times; nullopt without a board

  void start(TimingSweep sweep);  // what cannot be timed stops what is
  void restart();                 // what is being timed, if its plan has become another one
  void stop();                    // what was measured stays
  void pause();                   // again: goes on
  void clear();
  void choose(const TimingChoices& choices);  // what runs is started anew with them

 private:
  measure::TimingPlan planOf(TimingSweep sweep) const;

  std::shared_ptr<measure::TimingBoard> board_;
  std::function<TimingTarget()> target_;
  TimingChoices choices_;
  TimingSweep sweep_ = TimingSweep::OneSize;
};

}  // namespace stridescope::session
