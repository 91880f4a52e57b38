// Where a person has been: what undo, redo, back and forward go through. Each entry is a place of the window:
// its mode, what is executed, in which round, and what was predicted of it.
//
// Undo goes to the entry before. Back goes to the last entry that shows another experiment or mode, and
// forward to the last one of the runs behind, so that it undoes back. Steps from round to round are one
// entry, as a person takes them back by stepping; a jump is one of its own, and so is each answer, hint and
// revealed round of Predict.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/compared_sides.h"
#include "session/experiment_choices.h"
#include "session/mode.h"
#include "session/prediction.h"
#include "session/replay.h"

namespace stridescope::session {

// One run: what was chosen of it, and the round that is shown.
struct RunPlace {
  ExperimentChoices choices{};
  Playhead at{};
  std::string round{};  // what the window calls it in a sentence: "stride 16"; it follows from the others
  friend bool operator==(const RunPlace& a, const RunPlace& b) {
    return a.choices == b.choices && a.at == b.at;
  }
};

struct Place {
  Mode mode = Mode::Explore;
  std::string engine{};             // as Workspace::engineId() has it
  RunPlace run{};                   // while two runs are compared, the left one
  std::optional<RunPlace> right{};  // there while two runs are compared
  analysis::LockedBy lockedBy = analysis::LockedBy::Round;
  std::shared_ptr<const Prediction> predicted{};  // there while a run is predicted
  friend bool operator==(const Place&, const Place&) = default;
};

// Whether they are alike but for the rounds and what was predicted.
bool areSameRuns(const Place& a, const Place& b);

// What differs, as a noun: "stride 16", "block size 512", "variant sequential", "Compare", "n 2^24 and 2
// more".
std::string changeText(const Place& from, const Place& to);

class History {
 public:
  // The window stands there now. What came by the same `stretch` one after the other is one entry: a person
  // steps or plays on, types a number, drags over lanes. 0: a change of its own.
  void see(const Place& place, std::size_t stretch);
  bool isAt(const Place& place) const { return !entries_.empty() && entries_[now_].place == place; }
  // The window could not come nearer to where the last of the calls below sent it.
  void settle(const Place& place);

  // Where to go, which is the entry of now from then on; nullptr: there is none.
  const Place* undo() { return go(before()); }
  const Place* redo() { return go(behind()); }
  const Place* back() { return go(runsBefore()); }
  const Place* forward() { return go(runsBehind()); }

  // What each of them would undo, do again or go to; empty: nothing.
  std::string undone() const;
  std::string redone() const;
  std::string backTo() const;
  std::string forwardTo() const;

 private:
  static constexpr std::size_t kMaxEntries = 200;

  struct Entry {
    Place place;
    std::size_t stretch = 0;
  };
  using At = std::optional<std::size_t>;

  At before() const { return now_ > 0 ? At(now_ - 1) : At(); }
  At behind() const { return now_ + 1 < entries_.size() ? At(now_ + 1) : At(); }
  // The last entry of the runs that were shown before those of now, or of those behind them: where they were
  // left.
  At runsBefore() const;
  At runsBehind() const;
  const Place* go(const At& at);

  std::vector<Entry> entries_;
  std::size_t now_ = 0;
};

}  // namespace stridescope::session
