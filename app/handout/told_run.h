// A run with all that handouts tell of it, worked out once.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "analysis/analysis.h"
#include "analysis/data_flow.h"
#include "analysis/pass_view.h"
#include "analysis/round_cycles.h"
#include "model/trace.h"
#include "narration/round_at.h"

namespace stridescope::handout {

// A step of a run: a round, or one pass of a round that has several.
struct Place {
  unsigned launch = 0, round = 0, pass = 0;
  friend bool operator==(const Place&, const Place&) = default;
};

// The rounds that are told of each launch, by number, both ends included.
struct Rounds {
  std::size_t first = 0, last = ~std::size_t{0};
  bool contains(std::size_t round) const { return first <= round && round <= last; }
};

class ToldRun {
 public:
  // Requires a trace without a fault (model/trace_check.h).
  explicit ToldRun(model::Trace trace);
  ToldRun(const ToldRun&) = delete;
  ToldRun& operator=(const ToldRun&) = delete;

  // What the rounds cost: one entry per launch. `origin`: "recorded on NVIDIA H100 80GB HBM3".
  void takeCycles(std::vector<analysis::LaunchCycles> launches, std::string origin);

  const model::Trace& trace() const { return trace_; }
  const analysis::Analysis& analysis() const { return analysis_; }
  const std::vector<std::vector<analysis::RoundFlow>>& flow() const { return flow_; }  // by launch, by round
  const analysis::LaunchCycles& cycles(unsigned launch) const;  // empty: nothing is known
  const std::string& cyclesOrigin() const { return cyclesOrigin_; }

  // The steps in their order, through all launches.
  std::vector<Place> placesIn(const Rounds& rounds) const;
  std::size_t roundsIn(const Rounds& rounds) const;

  // The round as a whole; it exists.
  narration::RoundAt roundAt(unsigned launch, std::size_t round) const;
  // The step, while `tell` runs.
  void tellOf(const Place& place, const std::function<void(const narration::RoundAt&)>& tell) const;
  // The launch's passes that read what races left.
  const std::vector<analysis::PassPlace>& stalePasses(unsigned launch) const { return stale_[launch]; }

 private:
  model::Trace trace_;
  analysis::Analysis analysis_;
  std::vector<std::vector<analysis::RoundFlow>> flow_;
  std::vector<std::vector<analysis::PassPlace>> stale_;  // by launch
  std::vector<analysis::LaunchCycles> cycles_;
  std::string cyclesOrigin_;
};

}  // namespace stridescope::handout
