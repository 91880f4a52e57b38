// The type names and templates that a kernel's text introduces. With them every declaration can be told from
// an expression, because a text without #include has no other types than these and CUDA's own.
#pragma once

#include <string_view>
#include <unordered_set>

#include "instrument/brackets.h"

namespace stridescope::instrument {

struct TypeNames {
  std::unordered_set<std::string_view> types;  // struct, class, enum, using, template parameters; and CUDA's
  std::unordered_set<std::string_view> constants;  // enums' enumerators

  bool isType(std::string_view word) const;
};

// Reads them and, in `source`, matches the < > of template lists. `withGroups`: the types and templates of
// cooperative groups are there too. Refuses aliases that hide a pointer, an array or a reference.
Accepted<TypeNames> readTypeNames(Source& source, bool withGroups);

}  // namespace stridescope::instrument
