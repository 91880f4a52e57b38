// The things that a window is about, wired together. One session a window; it draws nothing and knows no
// window. Commands go in here, and views read the parts.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "session/command.h"
#include "session/comparison.h"
#include "session/history.h"
#include "session/link_follower.h"
#include "session/own_kernel.h"
#include "session/parts.h"
#include "session/services.h"

namespace stridescope::session {

class Session {
 public:
  // Starts recording at once; the round is shown when it is there.
  Session(const SessionServices& services, Settings settings, const Start& start);

  // While two runs are compared, those of the chosen side.
  const Workspace& workspace() const {
    return isComparing() ? comparison_->workspace(comparison_->chosen()) : workspace_;
  }
  const Replay& replay() const {
    return isComparing() ? comparison_->replay(comparison_->chosen()) : replay_;
  }
  const Measurements& measurements() const { return measurements_; }
  const AppState& app() const { return app_; }
  Exports& exports() { return exports_; }  // the window gives it pictures
  AppState& app() { return app_; }         // the window tells it things, and takes what it has to do
  const Predict& predict() const { return predict_; }
  const History& history() const { return history_; }
  const OwnKernel& kernel() const { return kernel_; }
  const Comparison* comparison() const { return isComparing() ? comparison_.get() : nullptr; }
  Parts parts() const {
    return {workspace(), replay(), measurements_, app_, exports_, predict_, history_, kernel_, comparison()};
  }

  void apply(const Command& command);
  void apply(const Commands& commands);
  // Enters Compare, with what is explored at the left and the variant at the right; empty: the one that
  // Compare takes.
  void compareWith(const std::string& variant);
  // Enters Predict with the round that is shown, hidden.
  void predictShownRound();

  // As Workspace has it, for all that are compared.
  void takeShippedRecordings(const std::vector<std::string>& paths);

  // Advances playing and takes in what jobs delivered. `seconds` since the last call.
  void update(double seconds);
  bool wantsFrameSoon() const;  // playing, a transition or a job is running
  void waitForJobs();           // blocks until what was asked for is on screen, and written; for headless use

 private:
  void advance(double seconds);
  bool isComparing() const { return comparison_ && comparison_->isShown(); }
  Comparison& madeComparison();
  void followMode();
  static bool leads(const Command& command);
  // Undo, redo, back and forward: the entry's place is gone to, and its round once its runs are there.
  bool goesThroughHistory(const Command& command);
  bool isSettled() const;  // what was asked for is shown, and stands still
  Place placeNow() const;  // without the rounds' names
  Place withRoundNames(Place place) const;
  void goTo(const Place& place);
  void arrive();
  void beginStretch(const Command& command);
  void keepPlace();  // the history and the settings learn where the window stands
  void goOnFromLink();
  void compareWithBefore();
  void copyVariant(const CopyVariant& request);
  void applyToOne(const Command& command, Workspace& workspace, Replay& replay);

  SessionServices services_;
  AppState app_;
  Replay replay_;
  ScoreKeeper score_;
  Predict predict_;
  Workspace workspace_;  // ends its jobs, which deliver to those above, first
  OwnKernel kernel_;
  Measurements measurements_;
  Exports exports_;
  LinkFollower links_;
  TourGuide tours_;
  std::optional<Link> arrived_;             // in its round; what its mode does there is to be done
  bool goesOnFromLink_ = false;             // that is being done: all of it is one entry of the history
  std::unique_ptr<Comparison> comparison_;  // from the first time on that it was asked for
  History history_;
  std::optional<Place> going_;   // the history's place whose runs are not there yet
  bool comparesBefore_ = false;  // what is compared with is the own kernel's run before
  // What goes on is one entry of the history (History::see): steps, or one answer of Predict.
  std::size_t stretch_ = 0, stretches_ = 0;
  bool byStep_ = false;
  std::optional<std::pair<PredictAct, std::size_t>> answered_;
};

}  // namespace stridescope::session
