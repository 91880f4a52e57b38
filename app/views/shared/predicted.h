// What a person predicts of the shown round, for the panels that show it. Pure.
#pragma once

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "session/app_state.h"
#include "session/predict.h"

namespace stridescope::views {

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

}  // namespace stridescope::views
