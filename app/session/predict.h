// Predicting a run: the round after those that were told stays hidden until it was guessed and revealed, or
// skipped. Meanwhile the replay shows the run as far as it is told (prediction.h), so that all that shows the
// replay tells nothing of the rounds behind.
#pragma once

#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "session/app_state.h"
#include "session/command.h"
#include "session/jobs.h"
#include "session/prediction.h"
#include "session/replay.h"
#include "teaching/score.h"

namespace stridescope::session {

// A person's score and its file, which a job of its own reads and writes: the window never waits for the
// disk.

class ScoreKeeper {
 public:
  // `file` empty: the score is not kept. `app` is told what went wrong, and outlives this.
  ScoreKeeper(std::string file, std::function<void()> wake, AppState& app);
  ~ScoreKeeper();  // what was not written yet is
  ScoreKeeper(const ScoreKeeper&) = delete;
  ScoreKeeper& operator=(const ScoreKeeper&) = delete;

  const teaching::Score& score() const { return score_; }
  void open();  // reads the file, once
  void add(const std::vector<teaching::Outcome>& outcomes);
  void forget();  // deletes the file

  void poll();  // takes in what was read, and tells what went wrong
  void wait();  // until all is written

 private:
  struct Pending;  // what the next job writes; shared with it
  void startJob();

  std::string file_;
  AppState& app_;
  teaching::Score score_;
  bool opened_ = false;
  std::shared_ptr<Pending> pending_;
  Jobs jobs_;
};

class Predict {
 public:
  struct Listener {
    std::function<void(const std::string& variant)> choose;  // asks for it
    std::function<bool(const std::string& variant)> offers;  // it can be had
  };
  // `seed` decides the questions. All outlive this.
  Predict(Replay& replay, AppState& app, ScoreKeeper& score, std::uint64_t seed, Listener listener);
  Predict(const Predict&) = delete;
  Predict& operator=(const Predict&) = delete;

  // ---- What is shown.

  bool isOn() const { return on_; }
  // The replay stands in the round that is to be guessed.
  bool isHidden() const { return on_ && replay_.hidden() != nullptr; }
  // A step forward was asked for there: it does not go on until the round is revealed or skipped.
  bool isHeld() const { return isHidden() && isHeld_; }
  // What is asked, or was asked, about the round that the replay stands in; empty: nothing.
  const std::vector<AskedQuestion>& asked() const;
  // It was revealed with its answers; false: not yet, or it was skipped.
  bool isJudged() const;
  // The question that hints and marks by key are about, as a place in asked().
  std::size_t chosen() const { return chosen_; }
  const teaching::Score& score() const { return score_.score(); }
  // All rounds are told, and a step further than the last was asked for.
  bool isSummedUp() const { return on_ && isSummedUp_ && !isHidden() && replay_.atLast(); }
  PredictionSum sum() const { return sumOf(now_); }
  // How many rounds the run has, and what each is called, by its index; both require a run.
  std::size_t rounds() const { return soFar_->rounds(); }
  const lab::RoundName& nameOf(std::size_t round) const { return soFar_->name(round); }
  // The last round that was told: where the window stands after Predict, and at the next start. Requires a
  // run.
  lab::RoundName lastTold() const;
  // The run with all that is hidden, to be saved; null: there is none.
  std::shared_ptr<const lab::Run> wholeRun() const;
  const lab::RunMeasured& wholeMeasured() const { return measured_; }
  // All that was done with the run; null: it is off, or there is no run. Two that are equal are the same one.
  const std::shared_ptr<const Prediction>& prediction() const;

  // ---- What the session does.

  void follow();                                                              // the mode of the window
  void load(std::shared_ptr<const lab::Run> run, lab::RunMeasured measured);  // while it is on
  void showMeasured(const std::shared_ptr<const lab::Run>& run, lab::RunMeasured measured);
  void step();                 // to the next round that is told, or hides the one behind
  void stepBack();             // from the summing up to the last round, else to the one before
  void goTo(Playhead target);  // a round behind the hidden one skips those between
  void apply(const PredictStep& step);
  // As it was then; what was done with another run is not brought back.
  void restore(const Prediction& prediction);

 private:
  struct Wanted {
    teaching::Topic topic{};
    std::vector<std::string> variants;  // to try, the next one last
    std::string trying;
  };

  void enter();
  void leave();
  void begin(std::shared_ptr<const lab::Run> run, lab::RunMeasured measured);
  void takeUp(const Prediction& left);  // what was asked and not judged, unless its round is told now
  void hide(std::size_t index);         // told are those before it
  void show();
  void ask();
  std::size_t shownIndex() const;
  AskedQuestion* openQuestion(std::size_t place);  // nullptr: there is none to be answered
  void reveal();
  void skip();
  void tryAgain();
  void hint();
  void mark(const PredictStep& step);
  void answer(const PredictStep& step, teaching::Guess guess, std::initializer_list<teaching::Topic> topics);
  void want(teaching::Topic topic);
  void tryNextVariant();
  std::optional<std::size_t> findWanted(teaching::Topic topic) const;

  Replay& replay_;
  AppState& app_;
  ScoreKeeper& score_;
  std::uint64_t seed_;
  Listener listener_;
  bool on_ = false;
  std::unique_ptr<RunSoFar> soFar_;  // null: no run yet
  lab::RunMeasured measured_;        // the whole run's
  Prediction now_;
  mutable std::shared_ptr<const Prediction> seen_;  // now_, when somebody asked for it
  std::shared_ptr<const Prediction> left_;          // when another mode was entered
  bool isHeld_ = false, isSummedUp_ = false;
  std::set<std::size_t> counted_;  // rounds of that run whose answers the score has
  RunMark countedIn_;
  std::size_t chosen_ = 0;
  std::optional<Wanted> wanted_;
};

}  // namespace stridescope::session
