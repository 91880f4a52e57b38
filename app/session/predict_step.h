// What a person does to a prediction (session/predict.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace stridescope::session {

enum class PredictAct : std::uint8_t {
  Reveal,        // the round, and what the guesses are worth
  Skip,          // to the next round: this one is told unasked
  TryAgain,      // hides the shown round once more, and those behind it
  Hint,          // one more about the question that is chosen
  Choose,        // that question
  Mark,          // threads or warps `first` to `last` of it; `on` false: takes their marks away
  AnswerNone,    // the question is about threads or warps; the answer is that there are none
  AnswerWay,     // teaching::kWays, or teaching::kOtherWay
  AnswerText,    // as it is typed
  AskElsewhere,  // the concept of that question, in another variant
  AskWeakest,    // the concept that was answered wrong most, in another variant
  DeleteScore,
};

struct PredictStep {
  PredictAct act{};
  std::size_t question = 0;  // its place among Predict::asked()
  unsigned first = 0, last = 0;
  bool on = true;
  unsigned way = 0;
  std::string text{};
};

}  // namespace stridescope::session
