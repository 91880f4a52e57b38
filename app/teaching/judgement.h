// What a question's answer is, what a person's guess was worth, and why: a sentence for that very mistake.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "teaching/question.h"

namespace stridescope::teaching {

struct Guess {
  bool answered = false;      // else nothing was guessed, whatever stands below
  std::vector<bool> marks{};  // for ActiveThreads: one per thread; for PartialWarps: one per warp
  unsigned way = kOtherWay;   // for ConflictWays: one of kWays, or kOtherWay
  std::string typed{};        // for CellValues
  // That it is no thread, or no warp.
  bool isNone() const { return answered && std::ranges::count(marks, true) == 0; }
  friend bool operator==(const Guess&, const Guess&) = default;
};

enum class Mark : std::uint8_t {
  None,    // not marked, and rightly
  Right,   // marked, and true
  Wrong,   // marked, but not true
  Missed,  // true, but not marked
};

struct Judgement {
  bool answered = false, right = false;  // what was not answered is not right
  std::string answer{};                  // "0 to 7", "W0 and W1", "8", "166"
  std::string why{};                     // one or two sentences
  unsigned way = kOtherWay;              // for ConflictWays: the one of kWays that is true, or kOtherWay
  std::vector<Mark> marks{};  // as Guess::marks; one per thread or warp also where nothing was guessed
  unsigned count(Mark mark) const;
  friend bool operator==(const Judgement&, const Judgement&) = default;
};

// Pure. Requires a question that questionsOf() gives for the run.
Judgement judge(const lab::Run& run, const Question& question, const Guess& guess);

// Judgement::answer alone.
std::string answerTo(const lab::Run& run, const Question& question);

// Three, each telling more: the first names the line, the second the stride and the rule, the third the
// answer for one thread, lane or operand. None is empty.
inline constexpr std::size_t kHints = 3;
std::vector<std::string> hintsFor(const lab::Run& run, const Question& question);

// "0 to 7", "0, 16, 32 ... 240", "3, 5 and 9", "none".
std::string inWords(const std::vector<bool>& marks, std::string_view before = "");

// What was typed as an element; nullopt: it is no number of the type. Groups of digits may be apart.
std::optional<std::uint64_t> typedElement(model::ElementType type, std::string_view typed);

}  // namespace stridescope::teaching
