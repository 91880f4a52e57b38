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

struct NumberedSites {
  std::vector<recording::Site> sites;
  std::vector<int> idOf;         // each FoundSite's
  std::vector<int> evaluatedAt;  // for each site, the offset in the text at which it has been evaluated
};

// Ids follow evaluation: a store at the end of its statement, a branch after what its condition reads, what a
// for increments after the loop's body. A site's loops end with itself if it is a Loop.
NumberedSites numberSites(const Source& source, const Statements& statements,
                          const std::vector<FoundSite>& found);

}  // namespace stridescope::instrument
