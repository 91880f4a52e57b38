// Integers as they are without the limits of an element type, and the words for one that did not fit.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "model/experiment.h"

namespace stridescope::model {

// 2^63 elements of 64 bits add up to less than its limits.
__extension__ using WideInteger = __int128;

// `bits`: an element of an integer type.
WideInteger wideOf(ElementType type, std::uint64_t bits);

std::string print(WideInteger value);  // "-12345"

// "the sum wraps: exact 4 999 950 000, wrapped to 704 982 704 in 32 bits". Both values printed, ungrouped.
std::string wrapClause(ElementType type, Operator op, std::string_view exact, std::string_view wrapped);

// Whether a check's note (Trace::checkNote) says that the result wrapped.
bool tellsOfAWrap(std::string_view checkNote);

}  // namespace stridescope::model
