// A question of a round with answers to choose from, for what is handed out: there nobody can mark threads or
// be told what was wrong with what they typed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "teaching/judgement.h"

namespace stridescope::teaching {

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
std::optional<ChoiceQuestion> choiceQuestionOf(const AskedRun& run, RoundPlace place, std::uint64_t seed);

}  // namespace stridescope::teaching
