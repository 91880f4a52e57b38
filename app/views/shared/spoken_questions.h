// The questions of Predict for who cannot see the window: what is asked, what was answered, and what answers
// it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "session/parts.h"

namespace stridescope::views {

struct SpokenAnswer {
  std::string name;       // "W0", "8", "none"
  bool isChosen = false;  // by the person
  session::PredictStep step;
};

struct SpokenQuestion {
  std::string text;   // "Question 1 of 2: Which threads add?", and what belongs to it
  std::string state;  // "not answered", "your answer: 0 to 7"; once it is revealed what it was worth, and why
  std::vector<SpokenAnswer> answers;  // to choose from; empty once it is revealed
  std::string field;                  // what can be typed in place of them; empty: nothing
};

// Those of the shown round; empty outside Predict.
std::vector<SpokenQuestion> spokenQuestions(const session::Parts& parts);

// What was typed, as steps that are one for undo. Threads are "0 to 7, 16", "0-7 16" or "none". An error:
// what is wrong with it.
Result<std::vector<session::PredictStep>> typedAnswer(const session::Parts& parts, std::size_t question,
                                                      std::string_view typed);

// "Question 1 of 2: Which threads add?", and what belongs to it. Requires that it is asked.
std::string questionText(const session::Predict& predict, std::size_t place);

// "Question 1: right. Question 2: not answered; the answer is W0." Empty: the shown round was not judged.
std::string spokenVerdicts(const session::Parts& parts);

}  // namespace stridescope::views
