// Accesses to a thread's own arrays: local ones, and array members of local variables. Nobody else sees them,
// so they are left as they are, and the compiler may keep them in registers.
#pragma once

#include <string_view>
#include <unordered_set>

#include "instrument/declarations.h"
#include "instrument/statements.h"

namespace stridescope::instrument {

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

}  // namespace stridescope::instrument
