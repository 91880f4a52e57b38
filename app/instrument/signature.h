// The one kernel of a text: its name and its parameters.
#pragma once

#include <string>
#include <vector>

#include "instrument/declarations.h"

namespace stridescope::instrument {

struct Signature {
  std::string kernel;
  int open = 0;  // the token of the parenthesis before its parameters
  std::vector<std::string> parameters;
};

// Refuses a text with no kernel, with several, with one that is a template, or with parameters it cannot
// read.
Accepted<Signature> readSignature(const Source& source, const Declarations& declarations);

}  // namespace stridescope::instrument
