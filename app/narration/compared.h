// Two runs beside each other in words.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/compared_sides.h"
#include "analysis/run_differences.h"
#include "narration/caption.h"
#include "narration/measured_sentences.h"

namespace stridescope::narration {

// A step in the waterfall of its reduction: where it begins and how long it takes, as shares of the longer
// reduction, 0 to 1.
struct WaterfallBar {
  float begin = 0, length = 0;
  friend bool operator==(const WaterfallBar&, const WaterfallBar&) = default;
};

struct ComparedRow {
  std::string title;                          // "highest conflict, ways"
  analysis::BothSides<std::string> value;     // "8", "1"; "–": not known
  std::optional<analysis::Side> better = {};  // the side, if it is known which
  std::string factor = {};                    // "8×", "all gone", "not known"; empty: none
  bool detail = false;                        // another row of the block tells more
  std::optional<analysis::BothSides<WaterfallBar>> waterfall = {};  // of a step's price
};

struct ComparedBlock {
  std::string heading;  // "this round, modelled"
  std::vector<ComparedRow> rows;
};

struct ComparedTable {
  // What is asked for, if it differs in more than the variant; then the time; then the other figures by their
  // origin: modelled in the round and over all rounds, measured, recorded.
  std::vector<ComparedBlock> differing;
  std::vector<ComparedRow> same;
};
ComparedTable comparedTable(const analysis::ComparedSide& left, const analysis::ComparedSide& right);

// "8", "0.176", "12.2 %".
std::string figureText(double value, analysis::FigureUnit unit);

// "8×", "3.92×"
std::string timesText(double factor);

// The table as lines of at most kTextColumns.
std::string comparedText(const ComparedTable& table);

// The caption of two rounds that are shown side by side: who works on both sides, and what differs, the most
// telling first.

// nullptr: the side has no such round. One side has one.
using ComparedRounds = analysis::BothSides<const RoundAt*>;

// "Round 4", "Stride 8", "Load"; opening a sentence.
std::string titleOf(const ComparedRounds& at, analysis::LockedBy by);

// For a tick of the transport: "8 | 16", "load", "8 | –".
std::string tickOf(const ComparedRounds& at);

// One sentence on who works, one on what differs; at the end of both runs one on their results.
Caption comparedCaption(const ComparedRounds& at, analysis::LockedBy by);

// "Recorded: 322 cycles on the left and 157 on the right." Medians with one block alone; empty where one of
// them is not known. Both are from there, and of one GPU.
std::string comparedCycles(MeasuredFrom from, const analysis::Cycles* left, const analysis::Cycles* right);

}  // namespace stridescope::narration
