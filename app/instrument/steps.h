// The steps of the text pass: what is recorded is found (accesses, assignments, barriers, warp operations and
// conditions), the order of evaluation is fixed, and variables that hold elements are marked.
#pragma once

#include <optional>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "instrument/declarations.h"
#include "instrument/findings.h"
#include "instrument/statements.h"
#include "instrument/tokens.h"
#include "instrument/variables.h"
#include "model/kernel.h"

namespace stridescope::instrument {

// The order in which what is recorded happens within an expression. Where C++ fixes it, that is the order: a
// && before what follows it, the value of an assignment before its target. Where C++ leaves it to the
// compiler, among the arguments of a call, the operands of + and the like, the recorded text has it from left
// to right.

// Finds the expressions in which C++ leaves the order of recorded operands open, and adds the edits that fix
// it. Wants all sites but branches to be found. Gives the assignments whose target does something recorded.
// Refuses what has an open order that cannot be fixed.
Accepted<std::vector<LateTarget>> fixOrder(const Source& source, const Declarations& declarations,
                                           const Expressions& expressions, const Variables& variables,
                                           Findings& findings);

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

// In a text without a preamble no variable is said to hold an element: it is found out which do.

// The type of the elements: that of the first __shared__ array, or else of the first array that the kernel is
// given, whose type a trace can name. nullopt: there is none.
std::optional<model::ElementType> elementTypeOf(const Source& source, const Variables& variables);

// Marks the variables of that type that hold elements (Variable::element): those that are made of what was
// loaded, exchanged or given by a caller, and that choose no element themselves, as an index does. Wants
// accesses and operations to be found.
void markElements(const Source& source, const Expressions& expressions, const Findings& findings,
                  model::ElementType type, Variables& variables);

}  // namespace stridescope::instrument
