// One check of `verify`: a trace against a plain loop, a replay of its stores and another engine's trace.
#pragma once

#include <optional>
#include <string>

#include "trace/trace.h"

namespace stridescope {

// Whether a right kernel may come to this result, inf or nan, where a plain loop comes to another: partial
// results can overflow in some order. Such a result is not compared.
bool isUpToTheOrder(const Trace& trace);

// nullopt if all agree; else what differs, first the result, then the snapshots, then what went wrong while
// it ran, then the other trace. `other` may be null. The variants that show what goes wrong are held against
// the replay only: their results depend on chance.
std::optional<std::string> faultIn(const Trace& trace, const Trace* other);

}  // namespace stridescope
