// A sheet of questions about a run, for an exam: chosen over its rounds, each to be answered from the
// kernel's text and from what stands beside it. No question's answer stands beside another one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "teaching/judgement.h"
#include "teaching/question.h"

namespace stridescope::teaching {

struct SheetQuestion {
  Question question;
  std::string round;                   // "Stride 16 (round 5)"
  std::vector<std::string> given{};    // "data[0] = 88": what cells hold before the round
  std::vector<std::string> choices{};  // empty: something is written
  std::string answer{}, why{};
};

struct Sheet {
  std::uint64_t seed = 1;
  std::vector<SheetQuestion> questions;  // in the order of the rounds
};

inline constexpr unsigned kMaxSheetQuestions = 100;

// At most so many; the same for the same seed. Concepts take turns, and within each answers that are not on
// the sheet yet come first, then those that are more than "all" or "none", then other rounds. Values that
// change and values that stay take turns, too, and so do who waits at a barrier and who is active. No answer
// of a concept stands more often than twice, or in a quarter of the questions.
Sheet sheetOf(const lab::Run& run, std::uint64_t seed, unsigned questions);

// What stands beside a question, so that it can be answered from the kernel's text alone.

// The cells whose values a question is answered from, and others, so that what is there tells neither the
// operands nor whether the cell is written. For registers they are the warp's. Else they are, by element, the
// cell, what lies as far from it as operands lie from results in that round, and neighbours, eight or a few
// more. Empty for questions that are not about values.
std::vector<Cell> cellsGiven(const narration::RoundAt& at, const Question& question);
// "data[0] = 88": what such cells hold before the round.
std::vector<std::string> givenFor(const narration::RoundAt& at, const std::vector<Cell>& cells);
// "Before it: data[0] = 88, data[1] = 12.": a sentence of them. Empty without cells.
std::string givenInWords(const Question& question, const std::vector<std::string>& given);

// A question of a round with answers to choose from, for what is handed out: there nobody can mark threads or
// be told what was wrong with what they typed.

struct ChoiceQuestion {
  Question question;
  std::vector<std::string> given{};    // as SheetQuestion::given
  std::vector<std::string> choices{};  // at least two, all different
  std::size_t right = 0;               // which of them
  std::string why{};
};

// One question of the round, concepts taking turns from round to round; those whose answer is no more than
// "all" or "none" only where there is no other. The wrong answers are what a person may take for it: that of
// a neighbouring stride, the same number of threads elsewhere, the value before. The same for the same seed.
// nullopt: the round determines nothing that can be asked so.
std::optional<ChoiceQuestion> choiceQuestionOf(const lab::Run& run, RoundPlace place, std::uint64_t seed);

}  // namespace stridescope::teaching
