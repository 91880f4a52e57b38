// What the rounds of the shown run cost in cycles, where a GPU has clocked its block. Pure.
#pragma once

#include <string>

#include "narration/cycles_sentence.h"
#include "session/reference_cycles.h"
#include "session/replay.h"

namespace stridescope::views {

// Requires replay.run(). nullptr: nothing is known of the round alone.
inline const analysis::Cycles* cyclesAlone(const session::Replay& replay, unsigned launch,
                                           std::size_t round) {
  return replay.run()->cycles[launch].alone.at(round);
}

inline const analysis::RoundCycles& cyclesIn(const session::Replay& replay, unsigned launch,
                                             model::ClockedGrid company) {
  const analysis::LaunchCycles& cycles = replay.run()->cycles[launch];
  return company == model::ClockedGrid::Alone ? cycles.alone : cycles.inGrid;
}

// The record that cyclesIn comes from. nullptr: there is none.
inline const model::ClockRecord* clocksOf(const session::Replay& replay, model::ClockedGrid company) {
  const model::ClockRecord* found = nullptr;
  for (const model::ClockRecord& record : replay.run()->clocks)
    if (record.company == company) found = &record;
  return found;
}

// A sentence; empty: nothing is known.
inline std::string cyclesSentence(const session::Replay& replay, unsigned launch, std::size_t round) {
  const session::Run& run = *replay.run();
  if (run.clocks.empty()) return {};
  return narration::cyclesSentence(run.cycles[launch], round, run.clocks.back().executor.device);
}

// Of the round that is shown, if it is shown whole, and what that of the reference with as many active
// threads takes. Empty: nothing is known.
inline std::string recordedCycles(const session::Replay& replay) {
  if (replay.shownPass() != nullptr) return {};
  const session::Run& run = *replay.run();
  const analysis::Round& round = replay.round();
  const bool combines = round.kind == analysis::RoundKind::Combine && round.stride.has_value();
  const auto reference = combines ? run.reference.find(round.activeLanes) : run.reference.end();
  return narration::recordedCycles(cyclesAlone(replay, replay.playhead().launch, replay.playhead().round),
                                   reference == run.reference.end() ? nullptr : &reference->second,
                                   session::kReferenceVariant);
}

}  // namespace stridescope::views
