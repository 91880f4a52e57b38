// What the rounds of the shown run cost in cycles, where a GPU has clocked its block. Pure.
#pragma once

#include <string>

#include "narration/cycles_sentence.h"
#include "session/replay.h"

namespace stridescope::views {

// The cycles of one launch of the run; empty where nothing is known.
inline const analysis::LaunchCycles& cyclesOf(const session::Replay& replay, unsigned launch) {
  static const analysis::LaunchCycles nothing;
  const auto& launches = replay.cycles().launches;
  return launch < launches.size() ? launches[launch] : nothing;
}

// nullptr: nothing is known of the round alone.
inline const analysis::Cycles* cyclesAlone(const session::Replay& replay, unsigned launch,
                                           std::size_t round) {
  return cyclesOf(replay, launch).alone.at(round);
}

inline const analysis::RoundCycles& cyclesIn(const session::Replay& replay, unsigned launch,
                                             model::ClockedGrid company) {
  const analysis::LaunchCycles& cycles = cyclesOf(replay, launch);
  return company == model::ClockedGrid::Alone ? cycles.alone : cycles.inGrid;
}

// Where a run's cycles or counters come from.
template <class Measures>
narration::MeasuredFrom measuredFrom(const Measures& measures) {
  return measures.live ? narration::MeasuredFrom::ThisRun : narration::MeasuredFrom::Recording;
}

// The record that cyclesIn comes from. nullptr: there is none.
inline const model::ClockRecord* clocksOf(const session::Replay& replay, model::ClockedGrid company) {
  const model::ClockRecord* found = nullptr;
  for (const model::ClockRecord& record : replay.cycles().clocks)
    if (record.company == company) found = &record;
  return found;
}

// A sentence; empty: nothing is known.
inline std::string cyclesSentence(const session::Replay& replay, unsigned launch, std::size_t round) {
  const auto& clocks = replay.cycles().clocks;
  if (clocks.empty()) return {};
  return narration::cyclesSentence(
      cyclesOf(replay, launch), round,
      narration::countedOn(measuredFrom(replay.cycles()), clocks.back().executor.device));
}

// The cycles of the round that is shown, if it is shown whole, and those that the reference's round with as
// many active threads takes. Empty: nothing is known. Requires run().
inline std::string countedCycles(const session::Replay& replay) {
  if (replay.shownPass() != nullptr) return {};
  const auto& references = replay.cycles().reference;
  const analysis::Round& round = replay.round();
  const bool combines = round.kind == analysis::RoundKind::Combine && round.stride.has_value();
  const auto reference = combines ? references.find(round.activeLanes) : references.end();
  return narration::countedCycles(
      measuredFrom(replay.cycles()), cyclesAlone(replay, replay.playhead().launch, replay.playhead().round),
      reference == references.end() ? nullptr : &reference->second, session::kReferenceVariant);
}

}  // namespace stridescope::views
