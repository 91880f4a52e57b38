// The replay's round as the sentences and maps take it. Pure.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "narration/measured_sentences.h"
#include "narration/round_at.h"
#include "narration/round_kind.h"
#include "session/app_state.h"
#include "session/comparison.h"
#include "session/own_kernel.h"
#include "session/parts.h"
#include "session/predict.h"
#include "session/replay.h"

namespace stridescope::views {

// Requires replay.run().
inline narration::RoundAt roundAt(const session::Replay& replay, unsigned launch, unsigned round) {
  return replay.run()->at(launch, round);
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
inline const lab::RoundName* comingRound(const session::Replay& replay, unsigned launch, unsigned round) {
  const auto& toCome = replay.run()->toCome;
  const auto found =
      std::ranges::lower_bound(toCome, std::pair(launch, round), {},
                               [](const lab::RoundName& name) { return std::pair(name.launch, name.round); });
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

// As above. A person's own kernel is kept as a recording while it is open, but what is named ran it here.
inline std::string executorText(const session::Parts& parts) {
  return parts.kernel.shown() != nullptr ? parts.replay.run()->trace.executor.device
                                         : executorText(parts.replay);
}

// What the rounds of the shown run cost in cycles, where a GPU has clocked its block. Pure.

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

// The cycles of a round, and those that the reference's round with as many active threads takes. Empty:
// nothing is known. Requires that the run has the round.
inline std::string countedCycles(const session::Replay& replay, unsigned launch, std::size_t place) {
  const auto& references = replay.cycles().reference;
  const analysis::Round& round = replay.run()->analysis.launches[launch].rounds[place];
  const bool combines = round.kind == analysis::RoundKind::Combine && round.stride.has_value();
  const auto reference = combines ? references.find(round.activeLanes) : references.end();
  return narration::countedCycles(measuredFrom(replay.cycles()), cyclesAlone(replay, launch, place),
                                  reference == references.end() ? nullptr : &reference->second,
                                  lab::kReferenceVariant);
}

// Those of the round that is shown, if it is shown whole. Requires run().
inline std::string countedCycles(const session::Replay& replay) {
  if (replay.shownPass() != nullptr) return {};
  return countedCycles(replay, replay.playhead().launch, replay.playhead().round);
}

// What a person predicts of the shown round, for the panels that show it. Pure.

// The place of the question about that concept among Predict::asked(); nullopt: it is not asked.
inline std::optional<std::size_t> placeOfTopic(const session::Predict& predict, teaching::Topic topic) {
  const auto& asked = predict.asked();
  const auto found = std::ranges::find_if(
      asked, [&](const session::AskedQuestion& each) { return each.question.topic == topic; });
  if (found == asked.end()) return std::nullopt;
  return std::size_t(found - asked.begin());
}

// The marks of threads; shorter than the block where none was made. nullptr: threads are not asked about.
inline const std::vector<bool>* threadMarks(const session::Predict& predict) {
  const auto place = placeOfTopic(predict, teaching::Topic::ActiveThreads);
  return place ? &predict.asked()[*place].guess.marks : nullptr;
}

// What became of them. nullptr: the round was not revealed, or threads were not asked about.
inline const teaching::Judgement* threadJudgement(const session::Predict& predict) {
  const auto place = placeOfTopic(predict, teaching::Topic::ActiveThreads);
  if (!place || !predict.isJudged()) return nullptr;
  const auto& judgement = predict.asked()[*place].judgement;
  return judgement ? &*judgement : nullptr;
}

// Takes a mark of a thread away, or makes it.
inline session::PredictStep markThreads(const session::Predict& predict, unsigned first, unsigned last,
                                        bool on) {
  return {.act = session::PredictAct::Mark,
          .question = placeOfTopic(predict, teaching::Topic::ActiveThreads).value_or(0),
          .first = first,
          .last = last,
          .on = on};
}
inline bool isMarked(const session::Predict& predict, unsigned thread) {
  const std::vector<bool>* const marks = threadMarks(predict);
  return marks != nullptr && thread < marks->size() && (*marks)[thread];
}

// Marks them all, or takes their marks away where all have one.
inline session::PredictStep toggleMarks(const session::Predict& predict, unsigned first, unsigned last) {
  bool all = true;
  for (unsigned thread = first; thread <= last; ++thread) all = all && isMarked(predict, thread);
  return markThreads(predict, first, last, !all);
}

// The first and the last thread of what is pointed at, a thread or a warp of the launch.
inline std::optional<std::pair<unsigned, unsigned>> pointedThreads(const session::Replay& replay) {
  const auto hover = replay.run() != nullptr ? replay.hover() : std::nullopt;
  if (!hover || (hover->kind != session::HoverKind::Thread && hover->kind != session::HoverKind::Warp))
    return std::nullopt;
  if (hover->kind == session::HoverKind::Thread)
    return std::pair(unsigned(hover->index), unsigned(hover->index));
  const unsigned first = unsigned(hover->index) * model::kWarpSize;
  return std::pair(first, std::min<unsigned>(first + model::kWarpSize, replay.launch().block) - 1);
}

// The keys that reveal the round: a part that has the keyboard has Enter for itself.
inline const char* revealKeys(const session::AppState& app) {
  return app.focused().empty() ? "Enter" : "Esc, Enter";
}

// A value is asked for by the question that keys are about: digits belong to it.
inline bool asksForNumber(const session::Predict& predict) {
  const auto& asked = predict.asked();
  return predict.isHidden() && predict.chosen() < asked.size() &&
         asked[predict.chosen()].question.topic == teaching::Topic::CellValues;
}

// Where stepping stands: in the run that is shown, or in the two that are compared.

inline bool hasRun(const session::Parts& parts) {
  return parts.comparison != nullptr ? parts.comparison->hasRuns() : parts.replay.run() != nullptr;
}
inline bool atFirst(const session::Parts& parts) {
  return parts.comparison != nullptr ? parts.comparison->atFirst() : parts.replay.atFirst();
}
inline bool atLast(const session::Parts& parts) {
  return parts.comparison != nullptr ? parts.comparison->atLast() : parts.replay.atLast();
}
// Behind the last round that was predicted stands what came of all of them.
inline bool sumsUpNext(const session::Parts& parts) {
  return parts.predict.isOn() && parts.replay.run() != nullptr && parts.replay.atLast() &&
         !parts.predict.isSummedUp();
}
inline bool isPlaying(const session::Parts& parts) {
  return parts.comparison != nullptr ? parts.comparison->playing() : parts.replay.playing();
}

}  // namespace stridescope::views
