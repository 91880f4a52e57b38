// What undo, redo, back and forward do to a session, and what of it is one step of theirs.
#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

#include "session/command.h"
#include "session/comparison.h"
#include "session/session.h"

namespace stridescope::session {

using analysis::Side;

bool Session::isSettled() const {
  if (isComparing())
    return comparison_->hasRuns() && !comparison_->playing() &&
           std::ranges::none_of(analysis::kSides, [&](analysis::Side side) {
             return !comparison_->workspace(side).isSettled();
           });
  return replay_.run() != nullptr && !replay_.playing() && workspace_.isSettled();
}

Place Session::placeNow() const {
  Place place{.mode = app_.mode(), .engine = workspace().engineId()};
  const auto runOf = [](const Workspace& shown, const Replay& at) {
    return RunPlace{shown.choices(), at.playhead()};
  };
  if (!isComparing()) {
    place.run = runOf(workspace_, replay_);
    place.predicted = predict_.prediction();
    return place;
  }
  place.run = runOf(comparison_->workspace(Side::Left), comparison_->replay(Side::Left));
  place.right = runOf(comparison_->workspace(Side::Right), comparison_->replay(Side::Right));
  place.lockedBy = comparison_->lockedBy();
  return place;
}

bool Session::goesThroughHistory(const Command& command) {
  const auto& any = command.any();
  const auto through = [&](const Place* (History::*move)()) {
    keepPlace();
    if (const Place* const place = (history_.*move)()) goTo(*place);
    return true;
  };
  if (std::holds_alternative<Undo>(any)) return through(&History::undo);
  if (std::holds_alternative<Redo>(any)) return through(&History::redo);
  if (std::holds_alternative<GoBack>(any)) return through(&History::back);
  if (std::holds_alternative<GoForward>(any)) return through(&History::forward);
  return false;
}

void Session::goTo(const Place& to) {
  const Place place = to;  // the history may forget it meanwhile
  if (replay_.playing()) replay_.togglePlaying();
  if (app_.mode() != place.mode) {
    app_.enterMode(place.mode);
    followMode();
  }
  const auto chooseIn = [&](Workspace& workspace, const RunPlace& run) {
    // A recording is opened at what was chosen.
    if (workspace.choices() != run.choices)
      workspace.choose([&](ExperimentChoices& choices) { choices = run.choices; });
    if (workspace.engineId() != place.engine) workspace.chooseEngine(place.engine);
  };
  if (isComparing() && place.right) {
    comparison_->lockBy(place.lockedBy);
    for (const Side side : analysis::kSides) {
      app_.speakFor(side);
      chooseIn(comparison_->workspace(side), side == Side::Left ? place.run : *place.right);
      app_.speakFor(std::nullopt);
    }
  } else {
    chooseIn(workspace_, place.run);
  }
  going_ = place;
  arrive();
}

void Session::arrive() {
  if (!going_ || !isSettled()) return;
  const Place place = *std::exchange(going_, std::nullopt);
  const auto goToRound = [](const Playhead& at) { return GoToRound{at.launch, at.round, at.pass}; };
  if (!isComparing() || !place.right) {
    if (place.predicted) predict_.restore(*place.predicted);
    applyToOne(goToRound(place.run.at), workspace_, replay_);
  } else {
    comparison_->goTo(Side::Left, place.run.at);
    if (comparison_->replay(Side::Right).playhead() != place.right->at)
      comparison_->goTo(Side::Right, place.right->at);
  }
  history_.settle(placeNow());
}

void Session::keepPlace() {
  if (going_ || goesOnFromLink_ || !isSettled()) return;
  history_.see(placeNow(), stretch_);
  if (predict_.isHidden()) {
    const lab::RoundName told = predict_.lastTold();
    app_.keepRound(told.launch, told.round);
  } else if (!isComparing()) {
    app_.keepRound(replay_.playhead().launch, replay_.playhead().round);
  }
}

// A number is typed and lanes are dragged over in many commands.
void Session::beginStretch(const Command& command) {
  const auto& any = command.any();
  const bool steps = std::holds_alternative<StepForward>(any) || std::holds_alternative<StepBack>(any) ||
                     std::holds_alternative<StepPass>(any) || std::holds_alternative<TogglePlay>(any);
  const bool jumps = std::holds_alternative<GoToRound>(any) || std::holds_alternative<GoToFirst>(any) ||
                     std::holds_alternative<GoToLast>(any);
  const auto* const predicts = std::get_if<PredictStep>(&any);
  if (!steps && !jumps && (predicts == nullptr || predicts->act == PredictAct::Choose)) return;
  if (steps && byStep_) return;
  if (predicts != nullptr && predicts->goesOn && answered_ == std::pair(predicts->act, predicts->question))
    return;
  keepPlace();  // where it begins
  byStep_ = steps;
  answered_.reset();
  if (predicts != nullptr) answered_ = {predicts->act, predicts->question};
  stretch_ = jumps ? 0 : ++stretches_;
}

}  // namespace stridescope::session
