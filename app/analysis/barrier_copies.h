// Do two recordings of a person's own kernel, by two machines, have the same shared memory at each block
// barrier?
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "model/trace.h"

namespace stridescope::analysis {

struct CopiesCompared {
  std::uint64_t barriers = 0;               // of all launches
  std::uint64_t bytes = 0;                  // that were held against each other
  std::optional<std::string> difference{};  // the first, in a sentence; nothing: there is none
};

// Compared are arrays that both have by the same name and size, and in them the bytes that a thread of `one`
// has stored by then: what else lies there is anything. Both traces must be without a fault.
CopiesCompared compareBarrierCopies(const model::Trace& one, const model::Trace& other);

}  // namespace stridescope::analysis
