#include "session/replay.h"

#include <algorithm>
#include <utility>

#include "analysis/requests.h"

namespace stridescope::session {

struct Replay::Seen {
  Playhead at;
  std::optional<Hover> hover;
  bool pinned = false;
  std::optional<analysis::RequestId> request;
};

Replay::Seen Replay::seen() const { return {playhead_, hover(), pinned(), chosenRequest_}; }

// `first` is told before the rest. What an observer does to the replay meanwhile is told of by itself.
void Replay::tellSince(const Seen& before, std::function<void()> ReplayObserver::*first) const {
  const Seen now = seen();
  if (first != nullptr) observers_.tell(first);
  if (now.at != before.at) observers_.tell(&ReplayObserver::moved);
  if (now.hover != before.hover || now.pinned != before.pinned || now.request != before.request)
    observers_.tell(&ReplayObserver::selectionChanged);
}

Replay::Replay(std::shared_ptr<const lab::Run> run, Playhead target) : run_(std::move(run)), target_(target) {
  show(nearest(target));
}

void Replay::load(std::shared_ptr<const lab::Run> run, lab::RunMeasured measured) {
  const Seen before = seen();
  const bool otherText = run_ && run_->trace.kernelText != run->trace.kernelText;
  viewer_.reset();
  run_ = std::move(run);
  measured_ = std::move(measured);
  show(nearest(target_));
  // A site is a place in one kernel's text.
  if (otherText) chosenRequest_.reset();
  for (auto* hover : {&hovered_, &pinned_})
    if (*hover && (!exists(**hover) || ((*hover)->kind == HoverKind::Site && otherText))) hover->reset();
  tellSince(before, &ReplayObserver::loaded);
}

void Replay::showMeasured(const std::shared_ptr<const lab::Run>& run, lab::RunMeasured measured) {
  if (run_ == run) measured_ = std::move(measured);
}

void Replay::close() {
  if (!run_) return;
  const Seen before = seen();
  viewer_.reset(), shownPass_.reset();
  run_.reset();
  measured_ = {};
  playhead_ = {};
  playing_ = false;
  hovered_.reset(), pinned_.reset(), chosenRequest_.reset();
  tellSince(before, &ReplayObserver::closed);
}

bool Replay::atFirst() const { return !run_ || playhead_ == nearest({0, 0}); }

bool Replay::atLast() const { return atEndOfTold() && (!run_ || run_->toCome.empty()); }

bool Replay::atEndOfTold() const { return !run_ || playhead_ == nearest({~0u, ~0u, kLastPass}); }

const lab::RoundName* Replay::hidden() const {
  if (!run_ || !launchAnalysis().hidesLast) return nullptr;
  return playhead_.round + 1 == launchAnalysis().rounds.size() ? &run_->toCome.front() : nullptr;
}

// The playhead that exists and comes nearest to the target: in that launch or, if it has no round, in an
// earlier one, else in a later one.
Playhead Replay::nearest(Playhead target) const {
  const auto& launches = run_->analysis.launches;
  const auto rounds = [&](std::size_t launch) { return launches[launch].rounds.size(); };
  std::size_t launch = std::min<std::size_t>(target.launch, launches.size() - 1);
  while (launch > 0 && rounds(launch) == 0) --launch;
  while (rounds(launch) == 0) ++launch;
  const unsigned round = std::min(target.round, unsigned(rounds(launch)) - 1);
  return {unsigned(launch), round, std::min(target.pass, launches[launch].rounds[round].passes - 1)};
}

void Replay::show(Playhead playhead) {
  if (!viewer_ || viewerLaunch_ != playhead.launch) {
    viewerLaunch_ = playhead.launch;
    viewer_.emplace(run_->trace, run_->trace.launches[viewerLaunch_], run_->analysis.launches[viewerLaunch_],
                    run_->flow[viewerLaunch_]);
  }
  playhead_ = playhead;
  shownPass_ = viewer_->view(playhead.round, playhead.pass);
}

void Replay::moveTo(Playhead target) {
  target_ = target;
  if (!run_) return;
  const Seen before = seen();
  target_ = nearest(target);
  if (target_ != playhead_) {
    show(target_);
    sinceStep_ = 0;
  }
  tellSince(before);
}

void Replay::step(int direction) {
  if (!run_) return;
  const auto& launches = run_->analysis.launches;
  const auto isEmpty = [&](unsigned launch) { return launches[launch].rounds.empty(); };
  Playhead next = playhead_;
  if (direction > 0) {
    if (next.round + 1 < launches[next.launch].rounds.size()) return moveTo({next.launch, next.round + 1});
    do ++next.launch;
    while (next.launch < launches.size() && isEmpty(next.launch));
    if (next.launch < launches.size()) return moveTo({next.launch, 0});
    moveTo({playhead_.launch, playhead_.round, kLastPass});
  } else {
    if (next.round > 0) return moveTo({next.launch, next.round - 1, kLastPass});
    while (next.launch > 0 && isEmpty(next.launch - 1)) --next.launch;
    if (next.launch > 0) return moveTo({next.launch - 1, ~0u, kLastPass});
    moveTo({playhead_.launch, playhead_.round, 0});
  }
}

void Replay::stepPass(int direction) {
  if (!run_) return;
  const Playhead at = playhead_;
  if (direction > 0 && at.pass + 1 < wholeRound().passes) return moveTo({at.launch, at.round, at.pass + 1});
  if (direction < 0 && at.pass > 0) return moveTo({at.launch, at.round, at.pass - 1});
  step(direction);
}

void Replay::togglePlaying() {
  if (!playing_ && atEndOfTold()) moveTo({0, 0});
  playing_ = !playing_ && run_;
  sinceStep_ = 0;
}

unsigned passesDue(double seconds, double roundsPerSecond, unsigned passes) {
  const double perSecond = roundsPerSecond * std::max(1.0, double(passes) / kMaxRoundsPerRound);
  return unsigned(std::min(double(passes), seconds * perSecond));
}

void Replay::advance(double seconds, double roundsPerSecond) {
  sinceStep_ += seconds;
  if (!playing_ || !run_) return;
  const unsigned passes = wholeRound().passes;
  const unsigned steps = passesDue(sinceStep_, roundsPerSecond, passes);
  if (steps == 0) return;
  if (playhead_.pass + 1 < passes)
    moveTo({playhead_.launch, playhead_.round, std::min(playhead_.pass + steps, passes - 1)});
  else
    stepPass(+1);
  if (atEndOfTold()) playing_ = false;
}

std::optional<unsigned> Replay::hoveredThread() const {
  const auto found = hover();
  if (!found || found->kind != HoverKind::Thread) return std::nullopt;
  return unsigned(found->index);
}

void Replay::pointAt(const std::optional<Hover>& hover) {
  const Seen before = seen();
  hovered_ = hover && run_ && exists(*hover) ? hover : std::nullopt;
  tellSince(before);
}

void Replay::pin(const Hover& hover) {
  if (!run_ || !exists(hover)) return;
  const Seen before = seen();
  pinned_ = hover;
  ringed_ = false;
  tellSince(before);
}

void Replay::ring(const Hover& hover) {
  pin(hover);
  ringed_ = true;
}

void Replay::unpin() {
  const Seen before = seen();
  pinned_.reset(), hovered_.reset();
  tellSince(before);
}

const analysis::Request* Replay::shownRequest() const {
  const analysis::Request* chosen =
      chosenRequest_ ? analysis::findRequest(round(), *chosenRequest_) : nullptr;
  return chosen != nullptr ? chosen : analysis::worstRequest(round());
}

void Replay::chooseRequest(const analysis::RequestId& request) {
  if (!run_ || request.site >= run_->trace.sites.size()) return;
  const Seen before = seen();
  chosenRequest_ = request;
  tellSince(before);
}

// In the run that is shown, for whichever of its launches has the most.
bool Replay::exists(const Hover& hover) const {
  const auto& launches = run_->trace.launches;
  switch (hover.kind) {
    case HoverKind::Thread:
      return hover.index < run_->trace.experiment.threads;
    case HoverKind::Warp:
      return hover.index * model::kWarpSize < run_->trace.experiment.threads;
    case HoverKind::Element:
      return std::ranges::any_of(launches, [&](const model::LaunchTrace& launch) {
        const auto has = [&](const model::Array& array) {
          return hover.index < array.bytes / std::max(1u, array.elementBytes);
        };
        const std::vector<model::Array>& shared = launch.recorded().shared;
        return shared.empty() ? hover.array == 0 && std::ranges::any_of(launch.buffers, has)
                              : hover.array < shared.size() && has(shared[hover.array]);
      });
    case HoverKind::Bank:
      return hover.index < analysis::kBankCount;
    case HoverKind::Site:
      return hover.index < run_->trace.sites.size();
    case HoverKind::Round:
      return hover.launch < launches.size() &&
             hover.index < run_->analysis.launches[hover.launch].rounds.size();
  }
  return false;
}

}  // namespace stridescope::session
