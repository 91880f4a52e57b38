// Cooperative groups, as far as they are recorded: the block, tiles of a warp, their ranks, cg::reduce and
// the block's barrier. What such an operation does inside stays unseen.
#pragma once

#include <string>
#include <vector>

#include "instrument/brackets.h"
#include "instrument/findings.h"

namespace stridescope::instrument {

// A barrier or a reduction of a group: the tokens first..last.
struct GroupOperation {
  model::Operation operation{};
  int first = 0;
  int last = 0;
  int open = 0;  // the parenthesis of its arguments
};

struct Groups {
  std::vector<bool> understood;  // one a token: names of groups and of what is theirs
  std::vector<GroupOperation> operations;
};

// `included`: whether the text includes cooperative_groups.h; without it there are no groups. Refuses
// everything of cooperative groups that is not listed above.
Accepted<Groups> readGroups(const Source& source, bool included);

// Turns the operations into sites and calls.
void findGroupOperations(const Source& source, const Groups& groups, Findings& findings);

}  // namespace stridescope::instrument
