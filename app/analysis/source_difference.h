// The lines of two kernels' texts that differ. Comments, blank lines and indentation do not count, nor what
// each kernel calls itself.
#pragma once

#include <string>
#include <vector>

#include "analysis/sides.h"
#include "base/line_difference.h"
#include "model/trace.h"

namespace stridescope::analysis {

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

}  // namespace stridescope::analysis
