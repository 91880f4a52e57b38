// What the text pass changes. Edits name tokens, never offsets; nothing but them changes a byte.
#pragma once

#include <string>
#include <vector>

#include "instrument/brackets.h"

namespace stridescope::instrument {

// Puts `before` in front of token `first` and `after` behind token `last`. "%" in either becomes the site's
// id.
struct Wrap {
  int first = 0;
  int last = 0;
  std::string before;
  std::string after;
  int site = -1;  // index of a FoundSite; -1: none
};

// Writes `text` in place of the tokens first..last, which stand on one line.
struct Replacement {
  int first = 0;
  int last = 0;
  std::string text;
  int site = -1;
};

// Has the operands, in the order of the text, evaluated one after the other before the rest of the expression
// first..last. Of a wrap or another such expression the tokens are within one operand, or all of these.
struct OrderedExpression {
  int first = 0;
  int last = 0;
  std::vector<TokenRange> operands{};
};

struct Edits {
  std::vector<Wrap> wraps;
  std::vector<OrderedExpression> ordered;
  std::vector<Replacement> replacements;
};

// The text with the edits made. Wraps and ordered expressions nest; of two wraps with the same tokens the
// later one in the list is the outer, and an ordered expression is within a wrap of its tokens.
std::string applyEdits(const Source& source, Edits edits, const std::vector<int>& siteIds);

}  // namespace stridescope::instrument
