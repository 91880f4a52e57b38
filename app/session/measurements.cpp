#include "session/measurements.h"

#include <algorithm>
#include <utility>

#include "engine/engine_name.h"
#include "measure/timing_data.h"
#include "measure/timing_rows.h"
#include "session/workspace.h"

namespace stridescope::session {

Measurements::Measurements(std::shared_ptr<measure::TimingBoard> board, const Workspace& workspace)
    : board_(std::move(board)), workspace_(workspace) {}

std::shared_ptr<const measure::TimingSnapshot> Measurements::timings() const {
  return board_ ? board_->snapshot() : nullptr;
}

bool Measurements::isTiming() const {
  const auto now = timings();
  return now &&
         (now->state == measure::TimingState::Preparing || now->state == measure::TimingState::Sampling ||
          now->state == measure::TimingState::Paused || now->state == measure::TimingState::Held);
}

bool Measurements::canTimeOnGpu() const {
  return std::ranges::any_of(workspace_.engines(), [](const EngineChoice& choice) {
    return choice.id.starts_with("gpu") && choice.why.empty();
  });
}

std::string Measurements::whyNotTimed(TimingSweep sweep) const {
  if (!board_) return "This window cannot time anything.";
  if (sweep == TimingSweep::BlockSizes && !canTimeOnGpu())
    return "Only a GPU has block sizes, and none can be used here.";
  const model::Experiment& experiment = workspace_.experiment();
  if (!measure::isTimed(experiment.type, experiment.op))
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
  const model::Experiment& experiment = workspace_.experiment();
  measure::TimingPlan plan =
      canTimeOnGpu() ? timingPlan(experiment, choices_, sweep) : cpuTimingPlan(experiment, choices_, sweep);
  if (const auto name = engine::parseEngineName(workspace_.engineId())) plan.gpu = name->gpu;
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
