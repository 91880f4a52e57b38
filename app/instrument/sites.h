// From what was found in the text to the table of sites.
#pragma once

#include <vector>

#include "instrument/brackets.h"
#include "instrument/statements.h"
#include "model/kernel_model.h"
#include "recording/site.h"

namespace stridescope::instrument {

// A site before it has an id. Tokens first..last are its text.
struct FoundSite {
  model::Operation operation{};
  int first = 0;
  int last = 0;
  int end = 0;        // the offset in the text at which it has been evaluated, were for-increments not moved
  int control = -1;   // a Branch or Loop has the index of its Control
  int variable = -1;  // an Assign has the index of its Variable
  TokenRange rightSide{};  // what a Store, Update or Assign makes of it
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

}  // namespace stridescope::instrument
