// What is timed, and how: the timing board and a person's choices for it. Of the experiment asked for.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "measure/timing_board.h"
#include "session/timing_choices.h"

namespace stridescope::session {

class Workspace;

class Measurements {
 public:
  // Without a board nothing is timed. The workspace outlives this, and says what to time and on what.
  Measurements(std::shared_ptr<measure::TimingBoard> board, const Workspace& workspace);
  Measurements(const Measurements&) = delete;
  Measurements& operator=(const Measurements&) = delete;

  // What was timed, live and recorded; null without a board. The same pointer until something changed.
  std::shared_ptr<const measure::TimingSnapshot> timings() const;
  const TimingChoices& choices() const { return choices_; }
  bool isTiming() const;                             // a plan is in progress, or waits
  bool canTimeOnGpu() const;                         // as far as is known: a GPU is among the engines
  std::string whyNotTimed(TimingSweep sweep) const;  // a sentence; empty: it can be started
  TimingSweep sweep() const { return sweep_; }       // of what was started last
  std::optional<std::string> csv() const;            // of all times; nullopt without a board

  void start(TimingSweep sweep);  // what cannot be timed stops what is
  void restart();                 // as it was started, if something is being timed
  void stop();                    // what was measured stays
  void pause();                   // again: goes on
  void clear();
  void choose(const TimingChoices& choices);  // what runs is started anew with them

 private:
  std::shared_ptr<measure::TimingBoard> board_;
  const Workspace& workspace_;
  TimingChoices choices_;
  TimingSweep sweep_ = TimingSweep::OneSize;
};

}  // namespace stridescope::session
