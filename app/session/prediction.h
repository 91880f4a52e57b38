// What a person did in Predict with one run: what is told of it, what was asked, and what was answered. It
// outlives the mode, and undo goes back to it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/element_flags.h"
#include "lab/measured.h"
#include "lab/run.h"
#include "teaching/judgement.h"

namespace stridescope::session {

struct AskedQuestion {
  teaching::Question question{};
  teaching::Guess guess{};
  std::vector<std::string> hints{};                // that were taken
  std::optional<teaching::Judgement> judgement{};  // once it was revealed
  friend bool operator==(const AskedQuestion&, const AskedQuestion&) = default;
};

struct PredictedRound {
  std::vector<AskedQuestion> asked{};
  bool judged = false;
  friend bool operator==(const PredictedRound&, const PredictedRound&) = default;
};

// Which run it is, without the run: two that executed alike are the same one.
struct RunMark {
  model::Experiment experiment{};
  std::uint64_t events = 0;
  friend bool operator==(const RunMark&, const RunMark&) = default;
};
RunMark markOf(const lab::Run& run);

// A round is named by its index in the run, over all launches.
struct Prediction {
  RunMark run{};
  std::size_t told = 0;                            // so many rounds
  bool hidden = false;                             // the round behind those stands there, empty
  std::map<std::size_t, PredictedRound> rounds{};  // those that were asked about
  friend bool operator==(const Prediction&, const Prediction&) = default;
};

// What came of the rounds that were predicted, each as it was answered last.
struct PredictionSum {
  struct OfTopic {
    std::size_t answered = 0, right = 0;
    std::vector<std::size_t> wrong{};  // the rounds of the wrong answers, ascending
    friend bool operator==(const OfTopic&, const OfTopic&) = default;
  };
  std::array<OfTopic, teaching::kTopics.size()> topics{};
  std::size_t predicted = 0;  // rounds with an answer
  friend bool operator==(const PredictionSum&, const PredictionSum&) = default;

  const OfTopic& of(teaching::Topic topic) const { return topics[std::size_t(topic)]; }
  std::size_t answered() const;
  std::size_t right() const;
};
PredictionSum sumOf(const Prediction& prediction);

// What differs, as a noun: "the answer to question 2", "revealing the round". Empty: no more than which round
// is hidden.
std::string changeText(const Prediction& from, const Prediction& to);

// A run as far as it has been told: what a person may see who is asked what the next round does.
//
// It holds the rounds up to there and only the names of those behind them: the events, snapshots, races,
// problems, measurements and the result of a round that is not told are not in it, so that nothing that shows
// the run can give them away. What tells of a round by what comes after it is left out, too: which elements
// and results are still needed is told by the rounds before (analysis/element_flags.h).

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
