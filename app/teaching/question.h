// What is asked of a round before it is shown. Questions are made from the trace of whatever runs; that of a
// concept is there if the round determines its answer and it can be found from what was shown before.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/run.h"
#include "narration/round_at.h"
#include "teaching/score.h"

namespace stridescope::teaching {

// A round of a run.
struct RoundPlace {
  unsigned launch = 0, round = 0;
  friend auto operator<=>(const RoundPlace&, const RoundPlace&) = default;
};

inline narration::RoundAt roundAt(const lab::Run& run, RoundPlace place) {
  return run.at(place.launch, place.round);
}

// An element of a shared array or of a buffer that the block works in in place, or the register that a lane
// passes on.
struct Cell {
  enum class Where : std::uint8_t { Shared, Device, Register };
  Where where = Where::Shared;
  std::uint32_t array = 0;    // index into LaunchTrace::shared or ::buffers
  std::uint64_t element = 0;  // an element of the array
  std::uint32_t thread = 0;   // a register's
  friend bool operator==(const Cell&, const Cell&) = default;
};

struct Question {
  Topic topic{};
  RoundPlace at{};
  std::string text{};             // "Which threads add?", "What will data[0] hold?"
  std::string does{};             // for ActiveThreads: what they do, "add"; empty: be active
  std::string note{};             // what belongs to it: "line 15: data[index + s]", "a whole number"
  std::string meaning{};          // a sentence: what "active" means in a round without shared accesses
  analysis::RequestId request{};  // for ConflictWays; its answer is the highest of all warps
  Cell cell{};                    // for CellValues
  // For ActiveThreads: which threads wait at this __syncthreads(), to which not all threads come. nullopt:
  // which are active.
  std::optional<std::uint32_t> barrier{};
  friend bool operator==(const Question&, const Question&) = default;
};

// What a person chooses from. Ways that are none of these are "another number", so that the choices tell
// nothing of the answer.
inline constexpr std::array kWays{1u, 2u, 4u, 8u, 16u, 32u};
inline constexpr unsigned kOtherWay = 0;
inline constexpr std::string_view kAnotherNumber = "another number";
std::vector<std::string> waysToChoose();  // "1", "2" ... "another number"

// How far the student is with each concept, 0 at first: the lowest cell and the first request, then others.
inline constexpr unsigned kMaxLevel = 2;
using Levels = std::array<unsigned, kTopics.size()>;
inline constexpr Levels kHighestLevels{kMaxLevel, kMaxLevel, kMaxLevel, kMaxLevel};

// At most one question per concept, in the order of the concepts. The same seed gives the same questions.
std::vector<Question> questionsOf(const lab::Run& run, RoundPlace place, std::uint64_t seed,
                                  const Levels& levels = {});

// Its answer is no more than "all" or "none", or no conflict.
bool isPlain(const lab::Run& run, const Question& question);

// "data[0]", "lane 3 of warp 0".
std::string nameOf(const narration::RoundAt& at, const Cell& cell);

}  // namespace stridescope::teaching
