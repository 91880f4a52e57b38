// The replay's round as the sentences and maps take it. Pure.
#pragma once

#include <algorithm>
#include <string>
#include <utility>

#include "narration/round_at.h"
#include "narration/round_kind.h"
#include "session/round_at.h"

namespace stridescope::views {

// Requires replay.run().
inline narration::RoundAt roundAt(const session::Replay& replay, unsigned launch, unsigned round) {
  return session::roundAt(*replay.run(), launch, round);
}
inline narration::RoundAt roundAt(const session::Replay& replay, unsigned round) {
  return roundAt(replay, replay.playhead().launch, round);
}
// The shown pass of it, if the round has several.
inline narration::RoundAt roundAt(const session::Replay& replay) { return session::shownRound(replay); }

// A round of the launch as a map by rounds shows it: where the playhead stands, the shown pass of it.
inline narration::RoundAt roundInMap(const session::Replay& replay, unsigned round) {
  return round == replay.playhead().round ? roundAt(replay) : roundAt(replay, round);
}
inline std::string tickOf(const session::Replay& replay, unsigned round) {
  return narration::tickOf(roundInMap(replay, round));
}

// What is known of a round that is not told, in a run that is told round by round. nullptr: it is told.
inline const session::RoundName* comingRound(const session::Replay& replay, unsigned launch, unsigned round) {
  const auto& toCome = replay.run()->toCome;
  const auto found = std::ranges::lower_bound(
      toCome, std::pair(launch, round), {},
      [](const session::RoundName& name) { return std::pair(name.launch, name.round); });
  const bool isThere = found != toCome.end() && found->launch == launch && found->round == round;
  return isThere ? &*found : nullptr;
}

// The words that stand where a round would be told.
inline constexpr const char* kHiddenWords = "hidden until you reveal";

// Who executed the run: "NVIDIA H200 · live", "recorded on NVIDIA H200", "CPU executor". Requires
// replay.run().
inline std::string executorText(const session::Replay& replay) {
  const model::Executor& executor = replay.run()->trace.executor;
  if (executor.kind == model::EngineKind::Gpu) return executor.device + " · live";
  return (executor.kind == model::EngineKind::Recorded ? "recorded on " : "") + executor.device;
}

}  // namespace stridescope::views
