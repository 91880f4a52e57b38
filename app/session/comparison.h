// Two runs side by side, stepped as one: the one that the window explores, and another with a workspace and a
// replay of its own.
//
// A place of the comparison is a round of each side, or of one alone (analysis/compared_sides.h). Both
// replays follow it; a side that has no round there shows its last state.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/compared_sides.h"
#include "session/app_state.h"
#include "session/command.h"
#include "session/replay.h"
#include "session/workspace.h"

namespace stridescope::session {

class Comparison {
 public:
  // Beside the window's own workspace and replay, which outlive this, stands the variant that theirs is
  // taught after, at the left, and starts recording at once. Beside one that is taught after none, at the
  // right, the next.
  Comparison(const SessionServices& services, AppState& app, Workspace& first, Replay& firstReplay);
  Comparison(const Comparison&) = delete;
  Comparison& operator=(const Comparison&) = delete;

  // While the window is in the Compare mode the sides are locked. It begins where the explored run stands;
  // what stands beside it is what was there last, or the variant before, if that is the same.
  void enter();
  void leave();
  bool isShown() const { return shown_; }

  const Workspace& workspace(analysis::Side side) const { return side == firstSide_ ? first_ : second_; }
  Workspace& workspace(analysis::Side side) { return side == firstSide_ ? first_ : second_; }
  const Replay& replay(analysis::Side side) const {
    return side == firstSide_ ? firstReplay_ : secondReplay_;
  }
  Replay& replay(analysis::Side side) { return side == firstSide_ ? firstReplay_ : secondReplay_; }
  bool hasRuns() const { return firstReplay_.run() != nullptr && secondReplay_.run() != nullptr; }

  analysis::Side chosen() const { return chosen_; }
  void choose(analysis::Side side) { chosen_ = side; }
  bool together() const { return together_; }
  void chooseTogether(bool together);
  void swap();
  // Beside the chosen side, or the run that is explored, comes the variant before it, with all else alike.
  void compareWithPrevious();

  // At the left of the run that is explored comes that of a recording.
  void compareWithRecording(const std::string& path);

  analysis::LockedBy lockedBy() const { return lockedBy_; }
  void lockBy(analysis::LockedBy by);

  // All places, in order; empty without two runs.
  const std::vector<analysis::LockedRound>& places() const { return places_; }
  std::size_t place() const { return place_; }  // an index into places()
  unsigned passes(std::size_t place) const;     // the most that a side's round has
  unsigned pass() const { return pass_; }
  // Whether the side has a round at the place that is shown.
  bool hasRound(analysis::Side side) const {
    return !places_.empty() && places_[place_].round[side].has_value();
  }

  bool atFirst() const { return places_.empty() || (place_ == 0 && pass_ == 0); }
  bool atLast() const;
  void moveTo(std::size_t place, unsigned pass = 0);   // the nearest there is
  void goTo(analysis::Side side, const Playhead& at);  // to a round of the side
  void step(int direction);                            // as Replay::step
  void stepPass(int direction);
  bool playing() const { return playing_; }
  void togglePlaying();
  void advance(double seconds, double roundsPerSecond);  // also what both replays show of a step
  bool isMoving() const;

  void pointAt(const PointAtSides& request);
  void unpin();
  // In the other side the request of the same kind and number, if its round has it.
  void chooseRequest(analysis::Side side, const analysis::RequestId& request);

  void poll();  // takes in what the sides' jobs delivered; while it is not shown, the second one's
  bool isWorking() const { return second_.job().has_value(); }
  void waitForJobs() { second_.waitForJobs(); }

 private:
  analysis::Side secondSide() const { return analysis::otherOf(firstSide_); }
  // A side's choices go to the other one, but for the variant.
  void takeOver(analysis::Side from, const std::string& variant);
  // The runs or the way to lock them are others. Locked by stride, the side that is `kept` stays at its
  // round.
  void lock(std::optional<analysis::Side> kept = {});
  void follow();  // both replays go where the place is
  Playhead playheadOf(analysis::Side side) const;
  void watch();

  AppState& app_;
  Workspace& first_;
  Replay& firstReplay_;
  Replay secondReplay_;
  Workspace second_;  // ends its jobs, which deliver to the replay, first
  analysis::Side firstSide_, chosen_;
  analysis::LockedBy lockedBy_ = analysis::LockedBy::Round;
  bool together_ = true, shown_ = false, following_ = false, playing_ = false;
  std::vector<analysis::LockedRound> places_;
  std::size_t place_ = 0;
  unsigned pass_ = 0;
  // Where it was sent last, though the runs between had fewer rounds: the place's index in a launch.
  struct {
    unsigned launch = 0;
    std::size_t inLaunch = 0;
    unsigned pass = 0;
  } target_;
  double sinceStep_ = 0;
  Subscription firstChanges_, secondChanges_;
};

// What commands mean while two runs are compared.

// Steps and what is pointed at go to both sides; what is chosen of the experiment goes to both or to the
// chosen one; all else means the chosen side. `applyToSide` does the command as if that side were the only
// run.
void applyToSides(Comparison& comparison, AppState& app, const Command& command,
                  const std::function<void(const Command& command, analysis::Side side)>& applyToSide);

}  // namespace stridescope::session
