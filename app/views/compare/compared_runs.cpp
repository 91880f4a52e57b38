#include "views/compare/compared_runs.h"

#include "measure/timing_rows.h"
#include "views/shared/shown_round.h"

namespace stridescope::views {
namespace {

using analysis::Side;

analysis::FigureOrigin originOf(bool live, const std::string& device) {
  return {live ? analysis::OriginKind::Measured : analysis::OriginKind::Recorded, device};
}

analysis::ComparedSide sideOf(const session::Comparison& comparison, Side of) {
  const session::Replay& replay = comparison.replay(of);
  analysis::ComparedSide side{.trace = &replay.run()->trace,
                              .analysis = &replay.run()->analysis,
                              .launch = comparison.places()[comparison.place()].launch};
  if (comparison.hasRound(of)) {
    side.shown = &replay.round();
    side.flow = &replay.flow();
    if (replay.shownPass() == nullptr) side.round = replay.playhead().round;
  }
  lab::addMeasured(replay.measured(), side);
  return side;
}

void addTime(const std::optional<measure::ComparedTime>& time, analysis::ComparedSide& side) {
  if (!time) return;
  side.timedElements = time->elements;
  side.microseconds = time->microseconds;
  side.timeInterval =
      analysis::medianInterval(time->microseconds, time->lowerQuartile, time->upperQuartile, time->samples);
  side.timeFrom = originOf(time->live, time->device);
}

}  // namespace

RoundsOfBoth::RoundsOfBoth(const session::Comparison& comparison) {
  if (comparison.hasRound(Side::Left)) left_.emplace(roundAt(comparison.replay(Side::Left)));
  if (comparison.hasRound(Side::Right)) right_.emplace(roundAt(comparison.replay(Side::Right)));
}

ComparedRuns::Seen ComparedRuns::seen(const session::Comparison& comparison, Side side) {
  const session::Replay& replay = comparison.replay(side);
  const lab::RunMeasured& measured = replay.measured();
  const auto own = [](const auto& optional) -> const void* { return optional ? &*optional : nullptr; };
  return {.run = replay.sharedRun(),
          .at = replay.playhead(),
          .hasRound = comparison.hasRound(side),
          .measured = {measured.cycles.clocks.data(), own(measured.counters.record), own(measured.costs.own)},
          .live = {measured.cycles.live, measured.counters.live, measured.costs.live}};
}

void ComparedRuns::refresh(const session::Comparison& comparison, const session::Measurements& measurements) {
  const analysis::BothSides<Seen> now{seen(comparison, Side::Left), seen(comparison, Side::Right)};
  for (const Side side : analysis::kSides) {
    const auto hover = comparison.replay(side).hover();
    if (now[side] == seen_[side] && hover == hover_[side]) continue;
    marks_[side] = {LinkedHighlight(comparison.replay(side)), troubleMarks(comparison.replay(side))};
    hover_[side] = hover;
  }
  const auto snapshot = measurements.timings();
  const bool sameTimes = snapshot == times_ && measurements.choices() == choices_;
  if (now == seen_ && sameTimes) return;
  const bool sameRuns = now.left.run == seen_.left.run && now.right.run == seen_.right.run;
  seen_ = now;
  times_ = snapshot;
  choices_ = measurements.choices();
  if (!comparison.hasRuns()) {
    table_ = {};
    source_ = {};
    return;
  }
  const model::Trace &leftTrace = now.left.run->trace, &rightTrace = now.right.run->trace;
  if (!sameRuns) source_ = analysis::sourceDifference(leftTrace, rightTrace);
  analysis::ComparedSide left = sideOf(comparison, Side::Left), right = sideOf(comparison, Side::Right);
  if (snapshot) {
    const measure::ComparedTimes times =
        measure::comparedTimes(*snapshot, measure::timedExperiment(leftTrace),
                               measure::timedExperiment(rightTrace), choices_.warmL2, choices_.graph);
    addTime(times.left, left);
    addTime(times.right, right);
  }
  table_ = narration::comparedTable(left, right);
}

}  // namespace stridescope::views
