// A person's score, by concept, and the file that keeps it: JSON with a version. It is replaced whole or not
// at all; a file that is damaged, or of a newer version, is told and left as it is.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"

namespace stridescope::teaching {

// The concepts that questions are about.
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

// One question that was answered and revealed.
struct Outcome {
  Topic topic{};
  bool right = false;
  unsigned hints = 0;  // that were taken
};

struct TopicScore {
  std::uint64_t asked = 0, right = 0, hints = 0;
  std::vector<bool> latest{};  // whether they were right, the newest last; at most kLatest
  unsigned wrongLatest() const;
  friend bool operator==(const TopicScore&, const TopicScore&) = default;
};
inline constexpr std::size_t kLatest = 24;

struct Score {
  std::array<TopicScore, kTopics.size()> topics{};
  const TopicScore& of(Topic topic) const { return topics[std::size_t(topic)]; }
  void add(const Outcome& outcome);
  friend bool operator==(const Score&, const Score&) = default;
};

// The concept that was answered wrong most of late; nullopt: none was.
std::optional<Topic> weakest(const Score& score);
// How hard a question may be: up by one for every three right answers in a row, back to 0 by a wrong one.
unsigned levelOf(const TopicScore& score);

inline constexpr std::uint64_t kScoreVersion = 1;
std::string scoreToJson(const Score& score);

// Gives an empty score if there is no such file.
Result<Score> readScore(const std::filesystem::path& file);
// Adds to what the file holds, so that another window's answers stay; makes its folder. Gives the sum.
Result<Score> addToScore(const std::filesystem::path& file, const std::vector<Outcome>& outcomes);
Result<std::monostate> deleteScore(const std::filesystem::path& file);

// $XDG_DATA_HOME/stridescope/score.json, else in ~/.local/share/stridescope; empty if neither is known.
std::string scoreFile();

}  // namespace stridescope::teaching
