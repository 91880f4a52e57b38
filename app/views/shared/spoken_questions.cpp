#include "views/shared/spoken_questions.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "base/numbers.h"
#include "base/plain_text.h"
#include "views/shared/shown_round.h"

namespace stridescope::views {
namespace {

using session::AskedQuestion;
using session::PredictAct;
using session::PredictStep;
using teaching::Topic;

std::string guessInWords(const AskedQuestion& asked) {
  const teaching::Guess& guess = asked.guess;
  switch (asked.question.topic) {
    case Topic::ActiveThreads:
      return teaching::inWords(guess.marks);
    case Topic::PartialWarps:
      return teaching::inWords(guess.marks, "W");
    case Topic::ConflictWays:
      return guess.way == teaching::kOtherWay ? std::string(teaching::kAnotherNumber)
                                              : std::to_string(guess.way);
    case Topic::CellValues:
      break;
  }
  return printable(guess.typed);
}

std::string stateOf(const AskedQuestion& asked) {
  const std::string yours = asked.guess.answered ? "your answer: " + guessInWords(asked) : "not answered";
  if (asked.judgement) {
    const teaching::Judgement& judgement = *asked.judgement;
    return (judgement.right ? "right" : yours + "; the answer is " + judgement.answer) + ". " + judgement.why;
  }
  std::string state = yours + ".";
  for (std::size_t i = 0; i < asked.hints.size(); ++i)
    state += " Hint " + std::to_string(i + 1) + ": " + asked.hints[i];
  return state;
}

std::vector<SpokenAnswer> answersOf(const session::Parts& parts, std::size_t place) {
  const AskedQuestion& asked = parts.predict.asked()[place];
  const teaching::Guess& guess = asked.guess;
  const SpokenAnswer none{"none", guess.isNone(), {.act = PredictAct::AnswerNone, .question = place}};
  std::vector<SpokenAnswer> answers;
  switch (asked.question.topic) {
    case Topic::ActiveThreads:
      answers.push_back(none);
      break;
    case Topic::PartialWarps:
      for (unsigned warp = 0; warp < model::warpsOf(parts.replay.launch().block); ++warp) {
        const bool isChosen = guess.answered && warp < guess.marks.size() && guess.marks[warp];
        answers.push_back(
            {"W" + std::to_string(warp),
             isChosen,
             {.act = PredictAct::Mark, .question = place, .first = warp, .last = warp, .on = !isChosen}});
      }
      answers.push_back(none);
      break;
    case Topic::ConflictWays: {
      const auto offer = [&](unsigned way, std::string name) {
        answers.push_back({std::move(name),
                           guess.answered && guess.way == way,
                           {.act = PredictAct::AnswerWay, .question = place, .way = way}});
      };
      for (const unsigned way : teaching::kWays) offer(way, std::to_string(way));
      offer(teaching::kOtherWay, std::string(teaching::kAnotherNumber));
      break;
    }
    case Topic::CellValues:
      break;
  }
  return answers;
}

constexpr std::string_view kThreadsField = "threads, such as: 0 to 7, 16";

// "7", "0 to 7", "0-7": the first and the last.
using ThreadRange = std::pair<unsigned, unsigned>;

void skipSpaces(std::string_view& text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
}

std::optional<unsigned> takeNumber(std::string_view& text) {
  skipSpaces(text);
  unsigned number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(std::size_t(end - text.data()));
  skipSpaces(text);
  return number;
}

bool takeWord(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  return true;
}

std::optional<std::vector<ThreadRange>> rangesIn(std::string_view text) {
  std::vector<ThreadRange> ranges;
  for (;;) {
    const auto first = takeNumber(text);
    if (!first) return std::nullopt;
    auto last = first;
    if (takeWord(text, "to") || takeWord(text, "-")) last = takeNumber(text);
    if (!last || *last < *first) return std::nullopt;
    ranges.emplace_back(*first, *last);
    if (text.empty()) return ranges;
    if (!takeWord(text, ",")) takeWord(text, "and");
  }
}

Result<std::vector<PredictStep>> typedThreads(const session::Parts& parts, std::size_t question,
                                              std::string_view typed) {
  if (typed == "none") return std::vector{PredictStep{.act = PredictAct::AnswerNone, .question = question}};
  const auto block = unsigned(parts.replay.launch().block);
  const auto ranges = rangesIn(typed);
  if (!ranges)
    return usageError("'" + printable(std::string(typed)) +
                      "' names no threads. Type them as 0 to 7, 16, or none.");
  // What was marked before goes.
  std::vector<PredictStep> steps{
      {.act = PredictAct::Mark, .question = question, .first = 0, .last = block - 1, .on = false}};
  for (const auto& [first, last] : *ranges) {
    if (last >= block)
      return usageError("There is no thread " + figure(last) + ": the last is " + figure(block - 1) + ".");
    steps.push_back(
        {.act = PredictAct::Mark, .question = question, .first = first, .last = last, .goesOn = true});
  }
  return steps;
}

}  // namespace

std::string questionText(const session::Predict& predict, std::size_t place) {
  const teaching::Question& question = predict.asked()[place].question;
  std::string text = "Question " + std::to_string(place + 1) + " of " +
                     std::to_string(predict.asked().size()) + ": " + question.text;
  if (!question.note.empty()) text += " (" + question.note + ")";
  if (!question.meaning.empty()) text += " " + question.meaning;
  return text;
}

std::vector<SpokenQuestion> spokenQuestions(const session::Parts& parts) {
  if (!parts.predict.isOn() || parts.replay.run() == nullptr) return {};
  std::vector<SpokenQuestion> questions;
  for (std::size_t place = 0; place < parts.predict.asked().size(); ++place) {
    const AskedQuestion& asked = parts.predict.asked()[place];
    SpokenQuestion question{
        .text = questionText(parts.predict, place), .state = stateOf(asked), .answers = {}, .field = {}};
    if (parts.predict.isHidden()) {
      question.answers = answersOf(parts, place);
      if (asked.question.topic == Topic::ActiveThreads) question.field = kThreadsField;
      if (asked.question.topic == Topic::CellValues) question.field = "value";
    }
    questions.push_back(std::move(question));
  }
  return questions;
}

Result<std::vector<PredictStep>> typedAnswer(const session::Parts& parts, std::size_t question,
                                             std::string_view typed) {
  if (!parts.predict.isHidden() || question >= parts.predict.asked().size())
    return std::vector<PredictStep>{};
  skipSpaces(typed);
  while (typed.ends_with(' ')) typed.remove_suffix(1);
  const Topic topic = parts.predict.asked()[question].question.topic;
  if (topic == Topic::ActiveThreads) return typedThreads(parts, question, typed);
  if (topic != Topic::CellValues) return std::vector<PredictStep>{};
  return std::vector{
      PredictStep{.act = PredictAct::AnswerText, .question = question, .text = std::string(typed)}};
}

std::string spokenVerdicts(const session::Parts& parts) {
  if (!parts.predict.isOn() || parts.predict.isHidden() || !parts.predict.isJudged()) return {};
  std::string text;
  const auto& asked = parts.predict.asked();
  for (std::size_t place = 0; place < asked.size(); ++place) {
    const auto& judgement = asked[place].judgement;
    if (!judgement) continue;
    text += (text.empty() ? "" : " ") + ("Question " + std::to_string(place + 1)) + ": ";
    text += judgement->right ? "right."
                             : std::string(judgement->answered ? "wrong" : "not answered") +
                                   "; the answer is " + judgement->answer + ".";
  }
  return text;
}

}  // namespace stridescope::views
