// Two runs side by side: the sides, which rounds stand beside each other, and which lines of their kernels
// differ.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/analysis.h"
#include "model/trace.h"

namespace stridescope::analysis {

// Two texts line by line: which lines they share, and what differs in the others.
//
// Lines are compared word by word: blanks do not count. The lines are set beside each other, in their order,
// in the way that has the most words in common; two lines that differ stand beside each other if half of
// their words are the same.

// Bytes of a line.
struct TextSpan {
  std::size_t begin = 0, end = 0;
  friend bool operator==(const TextSpan&, const TextSpan&) = default;
};

struct LinePair {
  std::optional<std::size_t> left, right;  // lines, from 0; nullopt: that text has none here
  bool same = false;
  // What differs in two lines that stand beside each other; a line that stands alone differs as a whole.
  std::vector<TextSpan> leftSpans{}, rightSpans{};
  friend bool operator==(const LinePair&, const LinePair&) = default;
};

// These count as the same word: what each text calls itself.
struct SameWord {
  std::string_view left{}, right{};
};

// Has every line of both texts once. If texts of many thousand lines have little in common, only their common
// first and last lines are set beside each other.
std::vector<LinePair> lineDifference(std::span<const std::string_view> left,
                                     std::span<const std::string_view> right, SameWord name = {});

// The two sides of a comparison.

enum class Side : std::uint8_t { Left, Right };
inline constexpr std::array kSides{Side::Left, Side::Right};
constexpr Side otherOf(Side side) { return side == Side::Left ? Side::Right : Side::Left; }
constexpr std::string_view nameOf(Side side) { return side == Side::Left ? "left" : "right"; }

template <class Value>
struct BothSides {
  Value left{}, right{};

  Value& operator[](Side side) { return side == Side::Left ? left : right; }
  const Value& operator[](Side side) const { return side == Side::Left ? left : right; }
  friend bool operator==(const BothSides&, const BothSides&) = default;
};

// Which round of one run stands beside which round of another, so that both are stepped as one.

enum class LockedBy : std::uint8_t {
  Round,   // the rounds of the same number
  Stride,  // those of the same stride and kind, in padded memory, too (33 beside 32); if there are several,
           // the first beside the first
};
inline constexpr std::array kLockedBy{LockedBy::Round, LockedBy::Stride};
constexpr std::string_view nameOf(LockedBy by) { return by == LockedBy::Round ? "round" : "stride"; }

// Rounds of launches of the same number; one of the sides has one at least.
struct LockedRound {
  unsigned launch = 0;
  BothSides<std::optional<unsigned>> round{};
  friend bool operator==(const LockedRound&, const LockedRound&) = default;
};

// Every round of both runs once: in the left one's order; what the right run has alone comes after the round
// before it.
std::vector<LockedRound> lockedRounds(const Analysis& left, const Analysis& right, LockedBy by);

// What is shown of a run that has no round in a launch of this number beside another's: its last state, the
// last round of that launch or of the last one before it that has a round; else its first round. Requires
// that some launch has a round.
struct RoundOfRun {
  unsigned launch = 0, round = 0;
  friend bool operator==(const RoundOfRun&, const RoundOfRun&) = default;
};
RoundOfRun lastState(const Analysis& analysis, unsigned launch);

// The lines of two kernels' texts that differ. Comments, blank lines and indentation do not count, nor what
// each kernel calls itself.

// A line that holds code: what stands on it beside comments, made fit to print.
struct CodeLine {
  int number = 0;  // 1-based
  std::string text{};
  friend bool operator==(const CodeLine&, const CodeLine&) = default;
};
std::vector<CodeLine> codeLines(std::string_view kernelText);

struct SourceDifference {
  BothSides<std::vector<CodeLine>> lines;
  std::vector<LinePair> pairs;  // places in `lines`

  // Lines of the side that differ, or that the other one lacks.
  std::size_t countOf(Side side) const;
  bool differs() const { return countOf(Side::Left) + countOf(Side::Right) > 0; }
  const CodeLine* lineOf(const LinePair& pair, Side side) const;  // nullptr: the side has none here
};

SourceDifference sourceDifference(const model::Trace& left, const model::Trace& right);

inline const std::vector<TextSpan>& spansOf(const LinePair& pair, Side side) {
  return side == Side::Left ? pair.leftSpans : pair.rightSpans;
}

// What the rounds of a run come to when they are added up: one side of a comparison.

// Over the requests of one round; `way` is the highest.
struct RoundSums {
  unsigned requests = 0, wavefronts = 0, ideal = 0, way = 0, sectors = 0, idealSectors = 0;
};

RoundSums sumsOf(const Round& round);

// Over all rounds of all launches.
struct RunSums {
  std::uint64_t rounds = 0, blockBarriers = 0, warpBarriers = 0, workingWarps = 0, partialWarps = 0,
                divergentBranches = 0, wavefronts = 0, inStrides = 0, inMixedRounds = 0, conflicts = 0,
                sectors = 0, races = 0, problems = 0;
};

RunSums sumsOf(const Analysis& analysis);

}  // namespace stridescope::analysis
