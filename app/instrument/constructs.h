// Refuses words and constructs that would access memory or synchronize behind the recorder's back.
#pragma once

#include <string_view>
#include <unordered_set>

#include "instrument/declarations.h"
#include "instrument/groups.h"
#include "instrument/statements.h"

namespace stridescope::instrument {

// `macros`: the names of the constants that the text defines; `groups`: what is left to cooperative groups.
// Every name in the text must be declared in it, or be one whose effect is known (vocabulary.h).
Accepted<void> checkConstructs(const Source& source, const TypeNames& types, const Declarations& declarations,
                               const std::unordered_set<std::string_view>& macros, const Groups& groups);

}  // namespace stridescope::instrument
