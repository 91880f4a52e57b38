#include "session/score_keeper.h"

#include <mutex>
#include <optional>
#include <utility>

namespace stridescope::session {

struct ScoreKeeper::Pending {
  std::mutex mutex;
  bool forget = false;  // before the outcomes
  std::vector<teaching::Outcome> outcomes;
  bool unusable = false;  // the file is damaged or newer: nothing is written until it is deleted
  std::optional<Error> untold;

  // Brings the file up to date with what nobody has written yet. nullopt: it holds nothing to be shown.
  std::optional<teaching::Score> bring(const std::string& file) {
    const std::lock_guard lock(mutex);
    if (std::exchange(forget, false)) {
      if (auto deleted = teaching::deleteScore(file); !deleted) {
        untold = deleted.error();
        return std::nullopt;
      }
      unusable = false;
    }
    const std::vector<teaching::Outcome> all = std::exchange(outcomes, {});
    if (unusable) return std::nullopt;
    const auto score = all.empty() ? teaching::readScore(file) : teaching::addToScore(file, all);
    if (score) return *score;
    unusable = true;
    untold = score.error();
    return std::nullopt;
  }
};

ScoreKeeper::ScoreKeeper(std::string file, std::function<void()> wake, AppState& app)
    : file_(std::move(file)),
      app_(app),
      pending_(std::make_shared<Pending>()),
      jobs_(std::move(wake), [&app](const Error& error) { app.tell(messageOf(error)); }) {}

ScoreKeeper::~ScoreKeeper() {
  jobs_.cancel();
  jobs_.wait();
  if (opened_ && !file_.empty()) (void)pending_->bring(file_);  // nobody is left to be told
}

void ScoreKeeper::open() {
  if (std::exchange(opened_, true) || file_.empty()) return;
  startJob();
}

void ScoreKeeper::add(const std::vector<teaching::Outcome>& outcomes) {
  if (outcomes.empty()) return;
  for (const teaching::Outcome& outcome : outcomes) score_.add(outcome);
  if (file_.empty()) return;
  {
    const std::lock_guard lock(pending_->mutex);
    pending_->outcomes.insert(pending_->outcomes.end(), outcomes.begin(), outcomes.end());
  }
  startJob();
}

void ScoreKeeper::forget() {
  score_ = {};
  if (file_.empty()) return;
  {
    const std::lock_guard lock(pending_->mutex);
    pending_->forget = true;
    pending_->outcomes.clear();
  }
  startJob();
}

void ScoreKeeper::poll() {
  jobs_.poll();
  const std::lock_guard lock(pending_->mutex);
  if (const auto error = std::exchange(pending_->untold, std::nullopt)) app_.tell(messageOf(*error));
}

void ScoreKeeper::wait() {
  jobs_.wait();
  poll();
}

void ScoreKeeper::startJob() {
  jobs_.start("Keeping the score",
              [this, pending = pending_, file = file_](engine::JobControl&) -> Jobs::Delivery {
                return [this, score = pending->bring(file)] {
                  if (score) score_ = *score;
                };
              });
}

}  // namespace stridescope::session
