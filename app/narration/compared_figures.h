// Two runs beside each other as a table in words: what differs, block by block, and at the foot what is the
// same. The window's middle column and the command line print it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/run_differences.h"

namespace stridescope::narration {

struct ComparedRow {
  std::string title;                          // "highest conflict, ways"
  analysis::BothSides<std::string> value;     // "8", "1"; "–": not known
  std::optional<analysis::Side> better = {};  // the side, if it is known which
  std::string factor = {};                    // "8×", "all gone", "not known"; empty: none
  bool detail = false;                        // another row of the block tells more
};

struct ComparedBlock {
  std::string heading;  // "this round, modelled"
  std::vector<ComparedRow> rows;
};

struct ComparedTable {
  // What is asked for, if it differs in more than the variant; then the figures by their origin: modelled in
  // the round and over all rounds, measured, recorded.
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

}  // namespace stridescope::narration
