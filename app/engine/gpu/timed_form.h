#pragma once

#include <cstdint>

namespace stridescope::engine::gpu {

// In which a text is timed.
enum class TimedForm : std::uint8_t {
  Clean,          // as a person reads it
  Clocked,        // with marks of the clock (clocking/clock.h), whose symbol is clocking_control
  Marked,         // with a mark of each block (clocking/marked_block.h), whose place is the last parameter
  Peeled,         // it can be ended early (clocking/peeled.h); the symbol is clocking_peel
  CountingMarks,  // the same, and it counts the marks at which it could be ended
};

}  // namespace stridescope::engine::gpu
