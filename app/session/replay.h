// One run being stepped through: where the playhead stands, whether it plays, what is pointed at. It needs
// nothing but the run; two of them can show the same one, or two.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "analysis/pass_view.h"
#include "kernels/catalog.h"
#include "lab/measured.h"
#include "lab/run.h"
#include "narration/round_at.h"
#include "session/hover.h"
#include "session/settings.h"

namespace stridescope::session {

// Those who want to be told when something changes. Each is told until its Subscription ends.

// Ends what it stands for when it is destroyed, or when another one takes its place. May outlive what is
// observed.
class [[nodiscard]] Subscription {
 public:
  Subscription() = default;
  explicit Subscription(std::function<void()> end) : end_(std::move(end)) {}
  Subscription(Subscription&& other) noexcept : end_(std::exchange(other.end_, nullptr)) {}
  Subscription& operator=(Subscription&& other) noexcept {
    if (this != &other) {
      end();
      end_ = std::exchange(other.end_, nullptr);
    }
    return *this;
  }
  ~Subscription() { end(); }
  Subscription(const Subscription&) = delete;
  Subscription& operator=(const Subscription&) = delete;

  void end() {
    if (auto end = std::exchange(end_, nullptr)) end();
  }

 private:
  std::function<void()> end_;
};

// `Observer` is a struct of std::function<void()>; empty ones are not called. Used by one thread.
template <class Observer>
class Observers {
 public:
  Subscription add(Observer observer) const {
    auto added = std::make_shared<const Observer>(std::move(observer));
    list_->push_back(added);
    return Subscription([list = std::weak_ptr(list_), added = std::weak_ptr(added)] {
      const auto kept = list.lock();
      if (kept) std::erase(*kept, added.lock());
    });
  }

  // Calls `what` of each, in the order in which they came. They may subscribe and unsubscribe meanwhile: who
  // has left is not called any more, who has just come is called the next time.
  void tell(std::function<void()> Observer::*what) const {
    const auto all = *list_;
    const auto list = list_;
    for (const auto& observer : all)
      if ((*observer).*what && std::ranges::count(*list, observer) != 0) ((*observer).*what)();
  }

 private:
  using List = std::vector<std::shared_ptr<const Observer>>;
  std::shared_ptr<List> list_ = std::make_shared<List>();
};

inline constexpr unsigned kLastPass = ~0u;
inline constexpr double kTransitionSeconds = 0.15;  // operands flow into results for so long after a step

inline constexpr unsigned kMaxRoundsPerRound = 8;  // passesDue()
// While a round of so many passes is played: how many steps the seconds since the last one have made due, at
// most all. A round takes at most kMaxRoundsPerRound times as long as one of a single pass.
unsigned passesDue(double seconds, double roundsPerSecond, unsigned passes);

// A round of several passes is shown pass by pass; other rounds have pass 0.
struct Playhead {
  unsigned launch = 0, round = 0;
  unsigned pass = 0;  // as a target: beyond the last is the last
  friend bool operator==(const Playhead&, const Playhead&) = default;
};

// Each is called after the change is complete, at most once a change, and not if nothing changed.
struct ReplayObserver {
  std::function<void()> loaded = {};            // another run is shown, be it the same one again
  std::function<void()> closed = {};            // none is shown any more
  std::function<void()> moved = {};             // the playhead stands elsewhere, also because of another run
  std::function<void()> selectionChanged = {};  // hover(), pinned() or the chosen request
};

class Replay {
 public:
  // Shows nothing. The first run that is loaded is shown at `target`, or as near to it as it has rounds.
  explicit Replay(Playhead target = {}) : target_(target) {}
  explicit Replay(std::shared_ptr<const lab::Run> run,
                  Playhead target = {});  // made by lab::steppedRun(), not null
  Replay(const Replay&) = delete;
  Replay& operator=(const Replay&) = delete;

  // The run must have a round, as all that lab::steppedRun() makes have. The playhead comes as near as it can
  // to where it was sent last, though a run between had fewer rounds. The hover and the pin stay if the run
  // has them, too.
  void load(std::shared_ptr<const lab::Run> run, lab::RunMeasured measured = {});
  // What was measured of the run after it was loaded; that of another run is not taken.
  void showMeasured(const std::shared_ptr<const lab::Run>& run, lab::RunMeasured measured);
  void close();
  Subscription observe(ReplayObserver observer) const { return observers_.add(std::move(observer)); }

  // nullptr: nothing to show yet. Some launch of it has a round, and the playhead stands in one.
  const lab::Run* run() const { return run_.get(); }
  const std::shared_ptr<const lab::Run>& sharedRun() const { return run_; }
  Playhead playhead() const { return playhead_; }
  // What was measured of the run; empty without a run.
  const lab::RunMeasured& measured() const { return measured_; }
  const lab::RunCycles& cycles() const { return measured_.cycles; }
  const lab::RunCounters& counters() const { return measured_.counters; }
  const lab::RunTimeline& timeline() const { return measured_.timeline; }
  const lab::RunCosts& costs() const { return measured_.costs; }
  const lab::RunRecord<model::MachineCode>& code() const { return measured_.code; }
  // These require run().
  const model::LaunchTrace& launch() const { return run_->trace.launches[playhead_.launch]; }
  const analysis::LaunchAnalysis& launchAnalysis() const { return run_->analysis.launches[playhead_.launch]; }
  // What is shown: the round, or the pass of it as if it were a round of its own.
  const analysis::Round& round() const { return shownPass_ ? shownPass_->round : wholeRound(); }
  const analysis::RoundFlow& flow() const {
    return shownPass_ ? shownPass_->flow : run_->flow[playhead_.launch][playhead_.round];
  }
  const analysis::Round& wholeRound() const { return launchAnalysis().rounds[playhead_.round]; }
  // nullptr: the round has one pass.
  const analysis::PassView* shownPass() const { return shownPass_ ? &*shownPass_ : nullptr; }
  // The kernel that the run is of; nullptr: there is no run, or the catalogue has no such variant.
  const model::Kernel* kernel() const { return run_ ? kernels::kernelOf(run_->trace.experiment) : nullptr; }

  // In a run that is told round by round, the shown round's name, if that is all that is told of it. nullptr:
  // the round is told.
  const lab::RoundName* hidden() const;

  bool atFirst() const;          // in the first round, at its first pass
  bool atLast() const;           // in the last round, at its last pass, and none is to come
  void moveTo(Playhead target);  // to the nearest that there is; without a run, where the next begins
  // Forward (above 0) to the first pass of the next round, or back to the last pass of the one before, over
  // launches that have none. Where there is no other round: to this one's last or first pass.
  void step(int direction);
  void stepPass(int direction);  // by a pass, from round to round

  bool playing() const { return playing_; }
  void togglePlaying();  // from the end: from the start again
  double secondsSinceStep() const { return sinceStep_; }
  // Goes on playing, `seconds` after the last call, pass by pass; stops at the end. A round of many passes
  // takes at most kMaxRoundsPerRound times as long as another: then passes are quicker, or some are left out.
  void advance(double seconds, double roundsPerSecond);
  bool isMoving() const { return playing_ || sinceStep_ < kTransitionSeconds; }  // also while a step is shown

  std::optional<Hover> hover() const { return pinned_ ? pinned_ : hovered_; }
  std::optional<unsigned> hoveredThread() const;  // if the hover is a thread
  bool pinned() const { return pinned_.has_value(); }
  // The request that the Banks panel shows: the chosen one in each round that has it, also after rounds that
  // do not; else analysis::worstRequest. nullptr: the round has no request. Requires run().
  const analysis::Request* shownRequest() const;
  // What the run does not have is not pointed at (then nothing is) and not pinned.
  void pointAt(const std::optional<Hover>& hover);
  void pin(const Hover& hover);
  void ring(const Hover& hover);  // pins what a text speaks of
  bool isRinged() const { return pinned_ && ringed_; }
  void unpin();  // and points at nothing
  void chooseRequest(const analysis::RequestId& request);

 private:
  struct Seen;  // what observers are told the change of
  Seen seen() const;
  void tellSince(const Seen& before, std::function<void()> ReplayObserver::*first = nullptr) const;
  Playhead nearest(Playhead target) const;
  bool atEndOfTold() const;
  bool exists(const Hover& hover) const;
  void show(Playhead playhead);  // that exists

  std::shared_ptr<const lab::Run> run_;
  lab::RunMeasured measured_;
  Playhead playhead_;
  Playhead target_;  // kept over changes of the run, though it may have fewer rounds
  bool playing_ = false;
  double sinceStep_ = 1e9;
  std::optional<analysis::PassViewer> viewer_;  // views run_'s launch viewerLaunch_
  unsigned viewerLaunch_ = 0;
  std::optional<analysis::PassView> shownPass_;
  std::optional<Hover> hovered_, pinned_;
  bool ringed_ = false;
  std::optional<analysis::RequestId> chosenRequest_;  // a request in the shown kernel's text
  Observers<ReplayObserver> observers_;
};

// What the replay shows: the shown pass of the round, if it has several. Requires replay.run().
inline narration::RoundAt shownRound(const Replay& replay) {
  narration::RoundAt at = replay.run()->at(replay.playhead().launch, replay.playhead().round);
  at.pass = replay.shownPass();
  return at;
}

}  // namespace stridescope::session
