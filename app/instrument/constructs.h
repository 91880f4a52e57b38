// Reads a kernel's text before what to record is looked for, and refuses words and constructs that would
// access memory or synchronize behind the recorder's back.
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "instrument/declarations.h"
#include "instrument/findings.h"
#include "instrument/statements.h"
#include "instrument/tokens.h"
#include "instrument/variables.h"

namespace stridescope::instrument {

// Cooperative groups, as far as they are recorded: the block, tiles of a warp, the cluster, their ranks,
// cg::reduce and the barriers of block and cluster. What such an operation does inside stays unseen.

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

// `macros`: the names of the constants that the text defines; `groups`: what is left to cooperative groups.
// Every name in the text must be declared in it, or be one whose effect is known (vocabulary.h).
Accepted<void> checkConstructs(const Source& source, const TypeNames& types, const Declarations& declarations,
                               const std::unordered_set<std::string_view>& macros, const Groups& groups);

// The text as the text pass has read it.
struct Reading {
  Source source;
  Directives directives;
  TypeNames types;
  Declarations declarations;
  Groups groups;
  Statements statements;
  Signature signature;
};

// Refuses what cannot be recorded, but for accesses and shared arrays, which are looked at later. The text
// must outlive what is returned.
Accepted<Reading> readText(std::string_view kernelText, Preamble preamble);

}  // namespace stridescope::instrument
