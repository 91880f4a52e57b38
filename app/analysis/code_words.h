// What the words of a machine instruction are, in SASS and in PTX. Pure.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "model/machine_code.h"

namespace stridescope::analysis {

enum class Flow : std::uint8_t {
  None,
  Branch,   // goes elsewhere, or may: branches, calls, returns, exits, and where their paths meet again
  Barrier,  // waits for other threads
};

// Where the parts of an instruction stand in its text. A label has none: all are empty.
struct CodeWords {
  std::size_t predicateEnd = 0;  // "@!P0" at the beginning, without the blank behind it; 0: there is none
  std::size_t operation = 0, operationEnd = 0;  // "LDG.E"
  Flow flow = Flow::None;
  bool isLabel = false;
};
CodeWords wordsOf(std::string_view text);

// Counts over instructions; labels do not count.
struct CodeCounts {
  unsigned instructions = 0;
  unsigned predicated = 0;  // all but branches: where the predicate is false they do nothing
  unsigned branches = 0;    // with a predicate: those that may diverge
};
CodeCounts countsOf(std::span<const model::CodeLine> lines);

}  // namespace stridescope::analysis
