#include "session/measurements.h"

#include <utility>

#include "measure/timing_data.h"
#include "measure/timing_rows.h"

namespace stridescope::session {

Measurements::Measurements(std::shared_ptr<measure::TimingBoard> board, std::function<TimingTarget()> target)
    : board_(std::move(board)), target_(std::move(target)) {}

std::shared_ptr<const measure::TimingSnapshot> Measurements::timings() const {
  return board_ ? board_->snapshot() : nullptr;
}

bool Measurements::isTiming() const {
  const auto now = timings();
  return now &&
         (now->state == measure::TimingState::Preparing || now->state == measure::TimingState::Sampling ||
          now->state == measure::TimingState::Paused || now->state == measure::TimingState::Held);
}

std::string Measurements::whyNotTimed(TimingSweep sweep) const {
  if (!board_) return "This window cannot time anything.";
  const TimingTarget target = target_();
  if (sweep == TimingSweep::BlockSizes && !target.gpu)
    return "Only a GPU has block sizes, and none can be used here.";
  if (!measure::isTimed(target.experiment.type, target.experiment.op))
    return "This operator is not timed: its results could not be checked. Choose another operator.";
  return {};
}

std::optional<std::string> Measurements::csv() const {
  const auto now = timings();
  if (!now) return std::nullopt;
  return measure::timeCsv(measure::allTimeRows(*now));
}

void Measurements::start(TimingSweep sweep) {
  if (!board_) return;
  if (!whyNotTimed(sweep).empty()) {
    board_->stop();
    return;
  }
  sweep_ = sweep;
  const TimingTarget target = target_();
  measure::TimingPlan plan = target.gpu ? timingPlan(target.experiment, choices_, sweep)
                                        : cpuTimingPlan(target.experiment, choices_, sweep);
  plan.gpu = target.gpu.value_or(0);
  board_->start(std::move(plan));
}

void Measurements::restart() {
  if (isTiming()) start(sweep_);
}

void Measurements::stop() {
  if (board_) board_->stop();
}

void Measurements::pause() {
  if (!isTiming()) return;
  if (timings()->state == measure::TimingState::Paused)
    board_->resume();
  else
    board_->pause();
}

void Measurements::clear() {
  if (board_) board_->clear();
}

void Measurements::choose(const TimingChoices& choices) {
  if (choices_ == choices) return;
  choices_ = choices;
  restart();
}

}  // namespace stridescope::session
