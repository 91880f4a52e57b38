#include "teaching/choice_question.h"

#include <algorithm>

#include "base/numbers.h"
#include "teaching/cells.h"
#include "teaching/given.h"
#include "teaching/why.h"

namespace stridescope::teaching {
namespace {

constexpr std::size_t kMaxChoices = 4;

using Marks = std::vector<bool>;
using MarksOf = Marks (*)(const narration::RoundAt&);

// As many marks as are true in `marks`, set in the other ways to spread threads over a block.
std::vector<Marks> spreadOtherwise(const Marks& marks) {
  const auto count = std::size_t(std::ranges::count(marks, true)), size = marks.size();
  std::vector<Marks> others;
  if (count == 0) return others;
  Marks first(size, false), apart(size, false), last(size, false);
  for (std::size_t i = 0; i < count; ++i) {
    first[i] = true;
    apart[i * (size / count)] = true;
    last[size - 1 - i] = true;
  }
  return {first, apart, last};
}

// The marks of the rounds beside this one, and the same number of marks elsewhere.
std::vector<std::string> otherMarks(const AskedRun& run, RoundPlace place, MarksOf marksOf,
                                    std::string_view before) {
  const auto& rounds = run.analysis.launches[place.launch].rounds;
  std::vector<Marks> others;
  if (place.round > 0) others.push_back(marksOf(run.at({place.launch, place.round - 1})));
  if (place.round + 1 < rounds.size()) others.push_back(marksOf(run.at({place.launch, place.round + 1})));
  const Marks own = marksOf(run.at(place));
  for (Marks& other : spreadOtherwise(own)) others.push_back(std::move(other));
  others.emplace_back(own.size(), true);
  others.emplace_back(own.size(), false);
  std::vector<std::string> answers;
  for (const Marks& other : others) answers.push_back(inWords(other, before));
  return answers;
}

// What stands there already, what is added to it, what stands beside it.
std::vector<std::string> otherValues(const narration::RoundAt& at, const Cell& cell) {
  std::vector<std::string> answers;
  const auto add = [&](std::optional<std::uint64_t> bits) {
    if (bits) answers.push_back(grouped(printed(at, cell, *bits)));
  };
  add(heldBefore(at, cell));
  for (const analysis::Operand& operand : operandsOf(at, cell)) add(operand.bits);
  for (const Cell& other : cellsBefore(at))
    if (typeOf(at, other) == typeOf(at, cell) && answers.size() < 2 * kMaxChoices) {
      add(heldAfter(at, other));
      add(heldBefore(at, other));
    }
  return answers;
}

std::vector<std::string> othersOf(const AskedRun& run, const Question& question) {
  switch (question.topic) {
    case Topic::ActiveThreads:
      return otherMarks(run, question.at, activeThreads, "");
    case Topic::PartialWarps:
      return otherMarks(run, question.at, partialWarps, "W");
    case Topic::CellValues:
      return otherValues(run.at(question.at), question.cell);
    case Topic::ConflictWays:
      break;
  }
  return {};
}

// The right one among others, at a place that the seed decides.
std::optional<ChoiceQuestion> chosenFrom(const AskedRun& run, const Question& question, std::uint64_t seed) {
  const Judgement judgement = judge(run, question, {});
  const narration::RoundAt at = run.at(question.at);
  ChoiceQuestion asked{
      .question = question, .given = givenFor(at, cellsGiven(at, question)), .why = judgement.why};
  if (question.topic == Topic::ConflictWays) {
    asked.choices = waysToChoose();
    asked.right = std::size_t(std::ranges::find(kWays, judgement.way) - kWays.begin());  // or the last
    return asked;
  }
  for (const std::string& other : othersOf(run, question))
    if (other != judgement.answer && asked.choices.size() + 1 < kMaxChoices &&
        std::ranges::find(asked.choices, other) == asked.choices.end())
      asked.choices.push_back(other);
  if (asked.choices.empty()) return std::nullopt;
  asked.right = std::size_t((seed + question.at.round * 7u) % (asked.choices.size() + 1));
  asked.choices.insert(asked.choices.begin() + std::ptrdiff_t(asked.right), judgement.answer);
  return asked;
}

}  // namespace

std::optional<ChoiceQuestion> choiceQuestionOf(const AskedRun& run, RoundPlace place, std::uint64_t seed) {
  std::vector<ChoiceQuestion> candidates, plain;
  for (const Question& question : questionsOf(run, place, seed, kHighestLevels))
    if (auto asked = chosenFrom(run, question, seed))
      (isPlain(run, question) ? plain : candidates).push_back(*std::move(asked));
  if (candidates.empty()) candidates = std::move(plain);
  if (candidates.empty()) return std::nullopt;
  return std::move(candidates[std::size_t(place.round + seed) % candidates.size()]);
}

}  // namespace stridescope::teaching
