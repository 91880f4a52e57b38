// A person's score and its file, which a job of its own reads and writes: the window never waits for the
// disk.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "session/app_state.h"
#include "session/jobs.h"
#include "teaching/score.h"

namespace stridescope::session {

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

}  // namespace stridescope::session
