#include "session/comparison.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

#include "analysis/requests.h"
#include "kernels/catalog.h"

namespace stridescope::session {
namespace {

using analysis::LockedBy;
using analysis::LockedRound;
using analysis::Side;

// What stands beside a variant: the one that it is taught after; beside the first one, and beside the first
// rung of the Ladder, the one that follows it.
struct Beside {
  std::string variant;
  Side side = Side::Left;  // where it stands: they stand as they are taught
};

Beside besideOf(const std::string& id) {
  const auto all = kernels::catalog();
  const kernels::Variant* const variant = kernels::findVariant(id);
  if (variant == nullptr) return {id};
  const auto familyBefore = kernels::familyOf(variant->previous);
  const bool isFirstRung =
      variant->family == kernels::Family::Ladder && familyBefore != kernels::Family::Ladder;
  if (familyBefore && !isFirstRung) return {variant->previous};
  const auto next = std::ranges::find_if(all, [&](const kernels::Variant& each) {
    return each.previous == id && each.family == variant->family && !each.sideBranch;
  });
  return {std::string(next == all.end() ? all.back().id : next->id), Side::Right};
}

Start startBeside(const Workspace& first) {
  Start start{.experiment = first.experiment(),
              .elementsGiven = first.choices().elements,
              .engine = first.recording() ? "host" : first.engineId(),
              .remembered = false};
  start.experiment.variant = besideOf(first.experiment().variant).variant;
  return start;
}

SessionServices servicesOf(SessionServices services) {
  services.greet = {};  // the window has greeted already
  return services;
}

}  // namespace

Comparison::Comparison(const SessionServices& services, AppState& app, Workspace& first, Replay& firstReplay)
    : app_(app),
      first_(first),
      firstReplay_(firstReplay),
      second_(servicesOf(services), app, startBeside(first),
              {.recorded =
                   [this](std::shared_ptr<const lab::Run> run, lab::RunMeasured measured) {
                     secondReplay_.load(std::move(run), std::move(measured));
                   },
               .measured =
                   [this](const std::shared_ptr<const lab::Run>& run, lab::RunMeasured measured) {
                     secondReplay_.showMeasured(run, std::move(measured));
                   },
               .otherReduction = [] {}},
              first.known()),
      firstSide_(analysis::otherOf(besideOf(first.experiment().variant).side)),
      chosen_(firstSide_) {
  takeOver(firstSide_, second_.experiment().variant);
  watch();
}

// Another run has other rounds; a replay that somebody moves takes the other one along.
void Comparison::watch() {
  const auto moved = [this](bool first) {
    const Side side = first ? firstSide_ : secondSide();
    if (shown_ && !following_ && !places_.empty() && replay(side).playhead() != playheadOf(side))
      goTo(side, replay(side).playhead());
  };
  const auto changed = [this](bool first) {
    if (shown_) lock(first ? secondSide() : firstSide_);
  };
  firstChanges_ = firstReplay_.observe(
      {.loaded = [=] { changed(true); }, .closed = [=] { changed(true); }, .moved = [=] { moved(true); }});
  secondChanges_ = secondReplay_.observe(
      {.loaded = [=] { changed(false); }, .closed = [=] { changed(false); }, .moved = [=] { moved(false); }});
}

void Comparison::takeOver(Side from, const std::string& variant) {
  const Side to = analysis::otherOf(from);
  const Workspace& model = workspace(from);
  ExperimentChoices wanted = model.choices();
  wanted.experiment.variant = variant;
  app_.speakFor(to);
  if (workspace(to).choices() != wanted)
    workspace(to).choose([&](ExperimentChoices& choices) { choices = wanted; });
  // After that: a recording is opened at what was chosen.
  if (workspace(to).engineId() != model.engineId()) workspace(to).chooseEngine(model.engineId());
  app_.speakFor(std::nullopt);
}

void Comparison::enter() {
  if (shown_) return;
  shown_ = true;
  if (firstReplay_.playing()) firstReplay_.togglePlaying();
  if (together_) {
    const std::string beside = second_.experiment().variant;
    takeOver(firstSide_, beside == first_.experiment().variant ? besideOf(beside).variant : beside);
  }
  const Playhead at = firstReplay_.playhead();
  target_ = {at.launch, at.round, at.pass};
  lock(firstSide_);
}

void Comparison::leave() {
  if (!shown_) return;
  shown_ = false;
  playing_ = false;
  places_.clear();
  second_.answerCode(false);
}

void Comparison::chooseTogether(bool together) {
  together_ = together;
  if (together) takeOver(chosen_, workspace(analysis::otherOf(chosen_)).experiment().variant);
}

void Comparison::swap() {
  firstSide_ = secondSide();
  chosen_ = analysis::otherOf(chosen_);
  if (shown_) lock();
}

void Comparison::compareWithPrevious() {
  if (!shown_) chosen_ = firstSide_;
  const Beside beside = besideOf(workspace(chosen_).experiment().variant);
  if (chosen_ == beside.side) swap();
  takeOver(chosen_, beside.variant);
}

void Comparison::compareWithRecording(const std::string& path) {
  together_ = false;
  if (firstSide_ == Side::Left) swap();
  chosen_ = Side::Right;
  app_.speakFor(Side::Left);
  second_.chooseEngine(path);
  app_.speakFor(std::nullopt);
}

// ---- The places.

void Comparison::lockBy(LockedBy by) {
  if (by == lockedBy_) return;
  lockedBy_ = by;
  // The left run stays where it is; where it has no round, the right one.
  if (!places_.empty()) {
    const LockedRound& at = places_[place_];
    target_.inLaunch = at.round.left.value_or(at.round.right.value_or(0));
  }
  if (shown_) lock();
}

void Comparison::lock(std::optional<Side> kept) {
  const bool stands =
      kept && lockedBy_ == LockedBy::Stride && (places_.empty() || places_[place_].round[*kept].has_value());
  places_.clear();
  if (!hasRuns()) return;
  places_ = analysis::lockedRounds(replay(Side::Left).run()->analysis, replay(Side::Right).run()->analysis,
                                   lockedBy_);
  if (stands) return goTo(*kept, replay(*kept).playhead());
  // The place of that number in the launch, or the last one before it.
  place_ = 0;
  std::size_t inLaunch = 0;
  for (std::size_t i = 0; i < places_.size(); ++i) {
    inLaunch = i > 0 && places_[i].launch == places_[i - 1].launch ? inLaunch + 1 : 0;
    if (places_[i].launch > target_.launch) break;
    if (places_[i].launch < target_.launch || inLaunch <= target_.inLaunch) place_ = i;
  }
  pass_ = std::min(target_.pass, passes(place_) - 1);
  follow();
}

Playhead Comparison::playheadOf(Side side) const {
  const LockedRound& at = places_[place_];
  const analysis::Analysis& analysis = replay(side).run()->analysis;
  if (at.round[side]) {
    const unsigned all = analysis.launches[at.launch].rounds[*at.round[side]].passes;
    return {at.launch, *at.round[side], std::min(pass_, all - 1)};
  }
  const analysis::RoundOfRun last = analysis::lastState(analysis, at.launch);
  return {last.launch, last.round, analysis.launches[last.launch].rounds[last.round].passes - 1};
}

void Comparison::follow() {
  following_ = true;
  for (const Side side : analysis::kSides) replay(side).moveTo(playheadOf(side));
  following_ = false;
}

unsigned Comparison::passes(std::size_t place) const {
  unsigned most = 1;
  const LockedRound& at = places_[place];
  for (const Side side : analysis::kSides)
    if (at.round[side])
      most = std::max(most, replay(side).run()->analysis.launches[at.launch].rounds[*at.round[side]].passes);
  return most;
}

bool Comparison::atLast() const {
  return places_.empty() || (place_ + 1 == places_.size() && pass_ + 1 == passes(place_));
}

void Comparison::moveTo(std::size_t place, unsigned pass) {
  if (places_.empty()) return;
  place_ = std::min(place, places_.size() - 1);
  pass_ = std::min(pass, passes(place_) - 1);
  const unsigned launch = places_[place_].launch;
  std::size_t inLaunch = 0;
  while (inLaunch < place_ && places_[place_ - inLaunch - 1].launch == launch) ++inLaunch;
  target_ = {launch, inLaunch, pass_};
  sinceStep_ = 0;
  follow();
}

void Comparison::goTo(Side side, const Playhead& at) {
  std::size_t nearest = 0;
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const LockedRound& each = places_[i];
    if (!each.round[side] || each.launch > at.launch) continue;
    if (each.launch == at.launch && *each.round[side] == at.round) return moveTo(i, at.pass);
    nearest = i;
  }
  moveTo(nearest, at.pass);
}

void Comparison::step(int direction) {
  if (places_.empty()) return;
  if (direction > 0)
    place_ + 1 < places_.size() ? moveTo(place_ + 1) : moveTo(place_, kLastPass);
  else
    place_ > 0 ? moveTo(place_ - 1, kLastPass) : moveTo(0);
}

void Comparison::stepPass(int direction) {
  if (places_.empty()) return;
  if (direction > 0 && pass_ + 1 < passes(place_)) return moveTo(place_, pass_ + 1);
  if (direction < 0 && pass_ > 0) return moveTo(place_, pass_ - 1);
  step(direction);
}

void Comparison::togglePlaying() {
  if (!playing_ && atLast()) moveTo(0);
  playing_ = !playing_ && !places_.empty();
  sinceStep_ = 0;
}

void Comparison::advance(double seconds, double roundsPerSecond) {
  for (const Side side : analysis::kSides) replay(side).advance(seconds, roundsPerSecond);
  sinceStep_ += seconds;
  if (!playing_ || places_.empty()) return;
  const unsigned all = passes(place_);
  const unsigned steps = passesDue(sinceStep_, roundsPerSecond, all);
  if (steps == 0) return;
  if (pass_ + 1 < all)
    moveTo(place_, std::min(pass_ + steps, all - 1));
  else
    stepPass(+1);
  if (atLast()) playing_ = false;
}

bool Comparison::isMoving() const { return playing_ || firstReplay_.isMoving() || secondReplay_.isMoving(); }

// ---- What is pointed at.

void Comparison::pointAt(const PointAtSides& request) {
  for (const Side side : analysis::kSides) {
    const std::optional<Hover>& hover = request.hover[side];
    if (request.pin)
      hover ? replay(side).pin(*hover) : replay(side).unpin();
    else
      replay(side).pointAt(hover);
  }
}

void Comparison::unpin() {
  for (const Side side : analysis::kSides) replay(side).unpin();
}

void Comparison::chooseRequest(Side side, const analysis::RequestId& request) {
  replay(side).chooseRequest(request);
  const Side other = analysis::otherOf(side);
  if (!hasRuns()) return;
  // The request's index among those of its kind in the round, so that load A stands beside load A.
  const auto sameKind = [&](const analysis::Request* each) {
    return each->kind == request.kind && each->shared == request.shared;
  };
  std::size_t number = 0;
  for (const analysis::Request* each : analysis::listRequests(replay(side).round())) {
    if (*static_cast<const analysis::RequestId*>(each) == request) break;
    number += sameKind(each) ? 1 : 0;
  }
  for (const analysis::Request* each : analysis::listRequests(replay(other).round()))
    if (sameKind(each) && number-- == 0) return replay(other).chooseRequest(*each);
}

void Comparison::poll() {
  for (const Side side : analysis::kSides) {
    if (!shown_ && side == firstSide_) continue;
    app_.speakFor(side);
    workspace(side).poll();
    app_.speakFor(std::nullopt);
  }
  if (!shown_) return second_.answerCode(false);  // nobody sees its text
  // A text that waits for an answer is shown.
  for (const Side side : analysis::kSides)
    if (workspace(side).codeQuestion() && !workspace(chosen_).codeQuestion()) chosen_ = side;
}

namespace {

// What is chosen of the experiment, or of what executes it; but the variant, which each side has for itself.
using Choices = std::variant<Choose, ChooseCustom, OpenData, ResetExperiment, ChooseEngine, OpenRecording,
                             OpenShippedRecording, CancelJob>;
template <class Request>
constexpr bool kIsChoice = kPlaceOf<Request, Choices> < std::variant_size_v<Choices>;

struct ApplyToSides {
  Comparison& comparison;
  AppState& app;
  const Command& command;
  const std::function<void(const Command& command, Side side)>& applyToSide;
  std::optional<Side> only{};  // the side that is meant

  Side meant() const { return only.value_or(comparison.chosen()); }

  void operator()(StepForward) const { comparison.step(+1); }
  void operator()(StepBack) const { comparison.step(-1); }
  void operator()(const StepPass& request) const { comparison.stepPass(request.direction); }
  void operator()(GoToFirst) const { comparison.moveTo(0); }
  void operator()(GoToLast) const { comparison.moveTo(comparison.places().size(), kLastPass); }
  void operator()(TogglePlay) const { comparison.togglePlaying(); }
  void operator()(const GoToRound& request) const {
    comparison.goTo(meant(), {request.launch, request.round, request.pass});
  }

  void operator()(const PointAtSides& request) const { comparison.pointAt(request); }
  void operator()(const PointAt& request) const {
    comparison.pointAt({.hover = {request.hover, request.hover}});
  }
  void operator()(const Pin& request) const {
    comparison.pointAt({.hover = {request.hover, request.hover}, .pin = true});
  }
  void operator()(Unpin) const { comparison.unpin(); }
  void operator()(const ChooseRequest& request) const { comparison.chooseRequest(meant(), request.request); }

  void operator()(const ChooseSide& request) const { comparison.choose(request.side); }
  void operator()(const ChooseTogether& request) const { comparison.chooseTogether(request.together); }
  void operator()(const LockSides& request) const { comparison.lockBy(request.by); }
  void operator()(SwapSides) const { comparison.swap(); }
  void operator()(CompareWithPrevious) const { comparison.compareWithPrevious(); }
  void operator()(const OnSide& request) const {
    std::visit(ApplyToSides{comparison, app, *request.command, applyToSide, request.side},
               request.command->any());
  }

  // Each text that waits for an answer has its own; the same text has the same.
  void operator()(const AnswerCode&) const {
    const auto asked = comparison.workspace(comparison.chosen()).codeQuestion();
    applyToSide(command, comparison.chosen());
    const Side other = analysis::otherOf(comparison.chosen());
    const auto& also = comparison.workspace(other).codeQuestion();
    if (!also) return;
    comparison.choose(other);
    if (asked && asked->text == also->text && asked->unconfined == also->unconfined)
      applyToSide(command, other);
    else
      app.openOverlay(Overlay::TrustCode);
  }
  // Closing a question means no.
  void operator()(const ShowOverlay&) const {
    bool asked = false;
    for (const Side side : analysis::kSides) {
      if (!comparison.workspace(side).codeQuestion()) continue;
      comparison.workspace(side).answerCode(false);
      asked = true;
    }
    if (asked) return;
    comparison.choose(meant());
    applyToSide(command, meant());
  }

  template <class Request>
  void operator()([[maybe_unused]] const Request& request) const {
    if constexpr (kIsChoice<Request>) {
      bool both = !only && comparison.together();
      if constexpr (std::is_same_v<Request, Choose>)
        both = both && !request.fields.given.has(&model::Experiment::variant);
      for (const Side side : analysis::kSides)
        if (both || side == meant()) applyToSide(command, side);
    } else {
      applyToSide(command, meant());
    }
  }
};

}  // namespace

void applyToSides(Comparison& comparison, AppState& app, const Command& command,
                  const std::function<void(const Command& command, Side side)>& applyToSide) {
  std::visit(ApplyToSides{comparison, app, command, applyToSide}, command.any());
}

}  // namespace stridescope::session
