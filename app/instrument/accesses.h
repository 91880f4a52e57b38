// Finds what is recorded: accesses, assignments, barriers, warp operations and conditions.
#pragma once

#include <string_view>
#include <unordered_set>

#include "instrument/declarations.h"
#include "instrument/findings.h"
#include "instrument/statements.h"
#include "instrument/variables.h"

namespace stridescope::instrument {

// Accesses to a thread's own arrays: local ones, and array members of local variables. Nobody else sees them,
// so they are left as they are, and the compiler may keep them in registers.

class OwnArrays {
 public:
  OwnArrays(const Source& source, const Declarations& declarations, const Statements& statements);

  // Whether the element that `first`..`last` names, as in sum[2] or pack[j].values[k], is certainly the
  // thread's own. False if what stands there is anything else than names, members and subscripts.
  bool contains(int first, int last) const;

 private:
  const Source& source_;
  const Declarations& declarations_;
  std::unordered_set<std::string_view> arrays_;  // names that stand for a thread's own array wherever they do
  std::unordered_set<std::string_view> foreign_;  // names that somewhere stand for shared or global memory
};

// Finds every a[i] and *p and shared variable, and how it is used.

// Leaves the thread's own arrays alone. Refuses members of elements, rows used as elements, and operands that
// cannot be read.
Accepted<void> findAccesses(const Source& source, const Declarations& declarations,
                            const Expressions& expressions, const OwnArrays& ownArrays,
                            const SharedArrays& shared, Findings& findings);

// Finds every assignment to a local variable or parameter of the element type, its initialization included,
// and records what it became. Variables whose address is taken are left alone, and x++ is: what it becomes is
// not its value.

void findAssignments(const Source& source, const Declarations& declarations, const Expressions& expressions,
                     const Variables& variables, Findings& findings);

// Finds the barriers, warp operations and atomics that CALLS.md lists, and the conditions of ifs and loops.

void findOperations(const Source& source, const Expressions& expressions, Findings& findings);

void findBranches(const Source& source, const Statements& statements, Findings& findings);

}  // namespace stridescope::instrument
