// What the session does with its timing board.
#include <algorithm>
#include <cstdlib>

#include "base/plain_text.h"
#include "engine/engine_name.h"
#include "measure/timing_data.h"
#include "measure/timing_rows.h"
#include "session/session.h"

namespace stridescope::session {

std::shared_ptr<const measure::TimingSnapshot> Session::timings() const {
  return services_.timings ? services_.timings->snapshot() : nullptr;
}

bool Session::isTiming() const {
  const auto now = timings();
  return now &&
         (now->state == measure::TimingState::Preparing || now->state == measure::TimingState::Sampling ||
          now->state == measure::TimingState::Paused || now->state == measure::TimingState::Held);
}

bool Session::canTimeOnGpu() const {
  return std::ranges::any_of(engines_, [](const EngineChoice& choice) {
    return choice.id.starts_with("gpu") && choice.why.empty();
  });
}

std::string Session::whyNotTimed(TimingSweep sweep) const {
  if (!services_.timings) return "This window cannot time anything.";
  if (sweep == TimingSweep::BlockSizes && !canTimeOnGpu())
    return "Only a GPU has block sizes, and none can be used here.";
  if (!measure::isTimed(experiment_.type, experiment_.op))
    return "This operator is not timed: its results could not be checked. Choose another operator.";
  return {};
}

void Session::startTiming(TimingSweep sweep) {
  if (!services_.timings) return;
  if (!whyNotTimed(sweep).empty()) {
    services_.timings->stop();
    return;
  }
  timingSweep_ = sweep;
  measure::TimingPlan plan = canTimeOnGpu() ? timingPlan(experiment_, timingChoices_, sweep)
                                            : cpuTimingPlan(experiment_, timingChoices_, sweep);
  if (const auto name = engine::parseEngineName(engineId_)) plan.gpu = name->gpu;
  services_.timings->start(std::move(plan));
}

void Session::pauseTiming() {
  if (!isTiming()) return;
  if (timings()->state == measure::TimingState::Paused)
    services_.timings->resume();
  else
    services_.timings->pause();
}

void Session::chooseTimings(const TimingChoices& choices) {
  if (timingChoices_ == choices) return;
  timingChoices_ = choices;
  if (isTiming()) startTiming(timingSweep_);
}

void Session::copyTimings() {
  if (const auto now = timings()) copied_ = measure::timeCsv(measure::allTimeRows(*now));
}

void Session::tellPictureSaved(const std::string& path, const Result<void>& saved) {
  message_ = {.kind = saved ? MessageKind::Fine : MessageKind::Wrong,
              .sentence = saved ? "Saved as " + printable(path) + "." : printable(saved.error().sentence),
              .details = saved ? std::string() : printable(saved.error().details, Lines::Many),
              .actionLabel = {},
              .action = {}};
}

}  // namespace stridescope::session
