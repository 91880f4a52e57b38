// From what was found in the text to the table of sites.
#pragma once

#include <vector>

#include "instrument/brackets.h"
#include "instrument/statements.h"
#include "recording/site.h"

namespace stridescope::instrument {

// A site before it has an id. Tokens first..last are its text.
struct FoundSite {
  recording::SiteKind kind{};
  int first = 0;
  int last = 0;
  int end = 0;       // the offset in the text at which it has been evaluated, were for-increments not moved
  int control = -1;  // of a Branch or Loop: the index of its Control
};

struct NumberedSites {
  std::vector<recording::Site> sites;
  std::vector<int> idOf;  // of each FoundSite
};

// Ids follow evaluation: a store at the end of its statement, a branch after what its condition reads, what a
// for increments after the loop's body. A site's loops end with itself if it is a Loop.
NumberedSites numberSites(const Source& source, const Statements& statements,
                          const std::vector<FoundSite>& found);

}  // namespace stridescope::instrument
