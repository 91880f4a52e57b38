// A sheet of questions about a run, for an exam: chosen over its rounds, each to be answered from the
// kernel's text and from what stands beside it. No question's answer stands beside another one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "teaching/judgement.h"

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
// change and values that stay take turns, too. No answer of a concept stands more often than twice, or in a
// quarter of the questions.
Sheet sheetOf(const AskedRun& run, std::uint64_t seed, unsigned questions);

}  // namespace stridescope::teaching
