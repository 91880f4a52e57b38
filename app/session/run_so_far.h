// A run as far as it has been told: what a person may see who is asked what the next round does.
//
// It holds the rounds up to there and only the names of those behind them: the events, snapshots, races,
// problems, measurements and the result of a round that is not told are not in it, so that nothing that shows
// the run can give them away. What tells of a round by what comes after it is left out, too: which elements
// and results are still needed is told by the rounds before (analysis/element_flags.h).
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "analysis/element_flags.h"
#include "lab/measured.h"
#include "lab/run.h"

namespace stridescope::session {

class RunSoFar {
 public:
  // Nothing is told at first. The run is not null.
  explicit RunSoFar(std::shared_ptr<const lab::Run> whole);
  RunSoFar(const RunSoFar&) = delete;
  RunSoFar& operator=(const RunSoFar&) = delete;

  const std::shared_ptr<const lab::Run>& whole() const { return whole_; }
  std::size_t rounds() const { return names_.size(); }  // in all launches
  const lab::RoundName& name(std::size_t index) const { return names_[index]; }
  // The index of the round; if the launch has no such round, the index of the last one before it.
  std::size_t indexOf(unsigned launch, unsigned round) const;

  // The first `told` rounds, and, if `hidden` and there is one, an empty round that stands for the next. With
  // all rounds told it is the whole run. What was shown before must not be looked at any more.
  std::shared_ptr<const lab::Run> show(std::size_t told, bool hidden);
  // What was measured of these rounds. It has nothing about the launch as a whole, unless all of it is told.
  lab::RunMeasured measured(const lab::RunMeasured& whole, std::size_t told) const;

 private:
  void begin();  // nothing is told
  void tellNext();
  void copyEvents(const analysis::Round& round, unsigned launch);
  void copyMemoryAndTrouble(unsigned launch, unsigned round);
  void hideNext();
  void unhide();

  std::shared_ptr<const lab::Run> whole_;
  std::shared_ptr<lab::Run> shown_;
  std::vector<lab::RoundName> names_;
  std::vector<analysis::StandingElements> standing_;  // one per launch
  std::size_t told_ = 0;
};

}  // namespace stridescope::session
