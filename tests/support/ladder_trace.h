// What a rung of the ladder does, worked out from its definition in plain C++: independent of the text pass
// and of every engine. The sites are those of the kernel's file.
#pragma once

#include <string_view>

#include "model/trace.h"

namespace stridescope::support {

// The sum of one block's load of the ramp 0, 1, 2, ... by one block. `variant` is interleaved_modulo,
// interleaved_contiguous, sequential, first_add_on_load or unrolled_last_warp; `threads` one of its legal
// sizes.
model::Trace ladderTrace(std::string_view variant, unsigned threads, model::ElementType type);
bool hasLadderTrace(std::string_view variant);  // it is one of these

}  // namespace stridescope::support
