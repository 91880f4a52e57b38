// What is timed, and how: the timing board and a person's choices for it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "measure/timing_board.h"
#include "model/experiment.h"
#include "session/timing_choices.h"

namespace stridescope::session {

// What there is to time, and on what.
struct TimingTarget {
  model::Experiment experiment;  // its variant, type and operator
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
  bool isTiming() const;  // a plan is in progress, or waits
  bool canTimeOnGpu() const { return target_().gpu.has_value(); }
  std::string whyNotTimed(TimingSweep sweep) const;  // a sentence; empty: it can be started
  TimingSweep sweep() const { return sweep_; }       // the one that was started last
  std::optional<std::string> csv() const;            // all times; nullopt without a board

  void start(TimingSweep sweep);  // what cannot be timed stops what is
  void restart();                 // as it was started, if something is being timed
  void stop();                    // what was measured stays
  void pause();                   // again: goes on
  void clear();
  void choose(const TimingChoices& choices);  // what runs is started anew with them

 private:
  std::shared_ptr<measure::TimingBoard> board_;
  std::function<TimingTarget()> target_;
  TimingChoices choices_;
  TimingSweep sweep_ = TimingSweep::OneSize;
};

}  // namespace stridescope::session
