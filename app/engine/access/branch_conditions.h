// The conditions of a person's text: of if, while, do, for, and the labels of switch. Each is made to tell
// the program which way it goes (kernels/access/device/branches.h). `?:`, `&&` and `||` are parts of
// expressions, as in the kernels of the catalogue.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "host_parts.h"
#include "kernel_tokens.h"
#include "text_edits.h"

namespace stridescope::engine::access {

struct BranchCondition {
  using Place = std::pair<int, int>;  // line and column, 1-based
  Place place;
  int length = 0;
  std::string text;  // as written
  bool isLoop = false;
  Place begin, end;  // of a loop's statement: the last place is in it
};

struct BranchConditions {
  std::vector<BranchCondition> all;  // by their numbers, from firstBranch on
  bool isComplete = true;            // none goes untold: a macro that has one, a goto, a range, a declaration
};

BranchConditions tellBranches(const KernelTokens& tokens, const HostParts& host, unsigned firstBranch,
                              TextEdits& edits);

}  // namespace stridescope::engine::access
