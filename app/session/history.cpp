#include "session/history.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

#include "kernels/catalog.h"
#include "model/experiment_fields.h"
#include "narration/round_kind.h"
#include "session/command.h"
#include "session/comparison.h"
#include "session/session.h"

namespace stridescope::session {
namespace {

constexpr std::size_t kNamedChanges = 2;

void addChosen(const ExperimentChoices& from, const ExperimentChoices& to, std::vector<std::string>& words) {
  if (from.experiment.variant != to.experiment.variant)
    words.push_back(kernels::titleOf(to.experiment.variant));
  auto changed = chosenAnew(from, to);
  for (const model::ExperimentField& field : model::experimentFields()) {
    if (!field.isGiven(changed) || field.key == "variant") continue;
    const bool chosen = isChosen(field, to);
    words.push_back(chosen && field.words ? field.words(to.experiment)
                                          : std::string(field.title) + (chosen ? "" : " by default"));
  }
  if (words.empty() && from != to) words.emplace_back("the experiment");
}

}  // namespace

bool areSameRuns(const Place& a, const Place& b) {
  return a.mode == b.mode && a.engine == b.engine && a.run.choices == b.run.choices &&
         a.right.has_value() == b.right.has_value() && (!a.right || a.right->choices == b.right->choices);
}

std::string changeText(const Place& from, const Place& to) {
  if (from.mode != to.mode) return std::string(factsOf(to.mode).name);  // its runs come with it
  std::vector<std::string> words;
  addChosen(from.run.choices, to.run.choices, words);
  if (from.right && to.right) addChosen(from.right->choices, to.right->choices, words);
  if (from.engine != to.engine) words.emplace_back("what executes");
  if (words.empty() && from.lockedBy != to.lockedBy) words.emplace_back("what the sides are locked by");
  if (words.empty() && from.predicted && to.predicted) {
    words.push_back(changeText(*from.predicted, *to.predicted));
    if (words.back().empty()) words.clear();
  }
  if (words.empty() && from != to) {
    const RunPlace& run = to.right && from.run == to.run ? *to.right : to.run;
    words.push_back(run.round.empty() ? "round " + std::to_string(run.at.round) : run.round);
    if (run.at.launch > 0) words.back() += " of launch " + std::to_string(run.at.launch);
  }
  std::string text;
  for (std::size_t i = 0; i < std::min(words.size(), kNamedChanges); ++i)
    text += (i > 0 ? ", " : "") + words[i];
  if (words.size() > kNamedChanges) text += " and " + std::to_string(words.size() - kNamedChanges) + " more";
  return text;
}

void History::see(const Place& place, std::size_t stretch) {
  if (entries_.empty()) return entries_.push_back({place});
  if (isAt(place)) return;
  Entry& now = entries_[now_];
  if (!areSameRuns(now.place, place) || now.place.lockedBy != place.lockedBy) stretch = 0;
  const bool goesOn = stretch != 0 && now.stretch == stretch;
  entries_.resize(now_ + 1);
  if (goesOn) {
    entries_[now_].place = place;
    return;
  }
  entries_.push_back({place, stretch});
  if (entries_.size() > kMaxEntries) entries_.erase(entries_.begin());
  now_ = entries_.size() - 1;
}

void History::settle(const Place& place) {
  if (entries_.empty()) return see(place, 0);
  entries_[now_].place = place;
}

History::At History::runsBefore() const {
  for (std::size_t at = now_; at > 0; --at)
    if (!areSameRuns(entries_[at - 1].place, entries_[now_].place)) return at - 1;
  return std::nullopt;
}

History::At History::runsBehind() const {
  const auto isAlike = [&](std::size_t a, std::size_t b) {
    return areSameRuns(entries_[a].place, entries_[b].place);
  };
  std::size_t first = now_ + 1;
  while (first < entries_.size() && isAlike(first, now_)) ++first;
  if (first >= entries_.size()) return std::nullopt;
  std::size_t last = first;
  while (last + 1 < entries_.size() && isAlike(last + 1, first)) ++last;
  return last;
}

const Place* History::go(const At& at) {
  if (!at) return nullptr;
  now_ = *at;
  return &entries_[now_].place;
}

std::string History::undone() const {
  const At at = before();
  return at ? changeText(entries_[*at].place, entries_[now_].place) : "";
}

std::string History::redone() const {
  const At at = behind();
  return at ? changeText(entries_[now_].place, entries_[*at].place) : "";
}

std::string History::backTo() const {
  const At at = runsBefore();
  return at ? changeText(entries_[now_].place, entries_[*at].place) : "";
}

std::string History::forwardTo() const {
  const At at = runsBehind();
  return at ? changeText(entries_[now_].place, entries_[*at].place) : "";
}

// What undo, redo, back and forward do to a session, and what of it is one step of theirs.

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

// Finding what a round is called looks at all that happens in it, so that it is not done in every frame.
Place Session::withRoundNames(Place place) const {
  const auto nameOf = [](const Replay& replay) {
    return replay.hidden() != nullptr ? replay.hidden()->inSentence
                                      : narration::nameInSentence(shownRound(replay));
  };
  if (!isComparing()) {
    if (replay_.run() != nullptr) place.run.round = nameOf(replay_);
    return place;
  }
  const auto addName = [&](Side side, RunPlace& run) {
    if (comparison_->replay(side).run() != nullptr) run.round = nameOf(comparison_->replay(side));
  };
  addName(Side::Left, place.run);
  if (place.right) addName(Side::Right, *place.right);
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
  history_.settle(withRoundNames(placeNow()));
}

void Session::keepPlace() {
  if (going_ || goesOnFromLink_ || !isSettled()) return;
  if (Place place = placeNow(); !history_.isAt(place))
    history_.see(withRoundNames(std::move(place)), stretch_);
  if (predict_.isHidden()) {
    const lab::RoundName told = predict_.lastTold();
    app_.keepRound(told.launch, told.round);
  } else {  // of two runs that of the one that is explored
    app_.keepRound(replay_.playhead().launch, replay_.playhead().round);
  }
}

// A number is typed and lanes are dragged over in many commands.
void Session::beginStretch(const Command& command) {
  const auto& any = command.any();
  const bool steps = std::holds_alternative<StepForward>(any) || std::holds_alternative<StepBack>(any) ||
                     std::holds_alternative<StepPass>(any) || std::holds_alternative<TogglePlay>(any);
  const bool jumps = std::holds_alternative<GoToRound>(any) || std::holds_alternative<GoToFirst>(any) ||
                     std::holds_alternative<GoToLast>(any) || leads(command);
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
