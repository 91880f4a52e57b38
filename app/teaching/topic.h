// The concepts that questions are about. A person's score is kept by them.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace stridescope::teaching {

enum class Topic : std::uint8_t {
  ActiveThreads,  // which threads are active
  PartialWarps,   // which warps have some active lanes and some that are not
  ConflictWays,   // how many ways a request conflicts
  CellValues,     // what an element of memory, or a register, will hold
};
inline constexpr std::array kTopics{Topic::ActiveThreads, Topic::PartialWarps, Topic::ConflictWays,
                                    Topic::CellValues};
constexpr auto allOf(Topic) { return kTopics; }

// "active threads", as a person reads it and as the file of the score has it.
constexpr std::string_view nameOf(Topic topic) {
  constexpr std::array<std::string_view, kTopics.size()> kNames{"active threads", "partial warps",
                                                                "conflict ways", "values of cells"};
  return kNames[std::size_t(topic)];
}

}  // namespace stridescope::teaching
