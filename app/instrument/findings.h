// What the steps of the text pass have found so far: sites, and the edits that record them.
#pragma once

#include <string>
#include <vector>

#include "instrument/statements.h"
#include "instrument/tokens.h"
#include "model/kernel_model.h"
#include "recording/site.h"

namespace stridescope::instrument {

// What the text pass changes. Edits name tokens, never offsets; nothing but them changes a byte.

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

// From what was found in the text to the table of sites.

// A site before it has an id. Tokens first..last are its text.
struct FoundSite {
  model::Operation operation{};
  int first = 0;
  int last = 0;
  int end = 0;        // the offset in the text at which it has been evaluated, were for-increments not moved
  int control = -1;   // a Branch or Loop has the index of its Control
  int variable = -1;  // an Assign has the index of its Variable
  TokenRange rightSide{};  // what a Store, Update or Assign makes of it
  model::MemoryOrder order{};
  model::MemoryScope scope{};
};

// An assignment whose target does something recorded, as in a[b[i]] = c[j]: what its value does comes first.
struct LateTarget {
  TokenRange target, value;
};

// Where `end`, an offset at or behind token `i` in the same expression, would be if late targets stood behind
// their values. Of an assignment the site itself is no part of its late target: `value` is where its own
// value begins; -1: it has none.
int evaluatedOffset(const Source& source, const std::vector<LateTarget>& lateTargets, int i, int end,
                    int value = -1);

struct NumberedSites {
  std::vector<recording::Site> sites;
  std::vector<int> idOf;         // each FoundSite's
  std::vector<int> evaluatedAt;  // for each site, the offset in the text at which it has been evaluated
};

// Ids follow evaluation: a store at the end of its statement, a branch after what its condition reads, what a
// for increments after the loop's body. A site's loops end with itself if it is a Loop.
NumberedSites numberSites(const Source& source, const Statements& statements,
                          const std::vector<LateTarget>& lateTargets, const std::vector<FoundSite>& found);

struct Findings {
  std::vector<FoundSite> sites;
  Edits edits;

  int add(FoundSite site) {
    sites.push_back(site);
    return static_cast<int>(sites.size()) - 1;
  }
};

}  // namespace stridescope::instrument
