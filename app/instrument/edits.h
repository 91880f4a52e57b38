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

struct Edits {
  std::vector<Wrap> wraps;
  std::vector<Replacement> replacements;
};

// The text with the edits made. Wraps nest; if two have the same tokens, the later one in the list is the
// outer.
std::string applyEdits(const Source& source, Edits edits, const std::vector<int>& siteIds);

}  // namespace stridescope::instrument
