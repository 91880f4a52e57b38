// Prints the words of a shared array or a buffer as what they are. A trace does not keep the types of arrays;
// the kernel's text declares them.
#pragma once

#include <cstdint>
#include <string>

#include "model/trace.h"

namespace stridescope::narration {

class WordPrinter {
 public:
  // An array or buffer of a launch of the trace.
  WordPrinter(const model::Trace& trace, const model::Array& array);

  // The words are elements of the experiment's type; else they are unsigned numbers: counters, flags, the
  // numbers of lists.
  bool holdsElements() const { return holdsElements_; }

  // Reads back exactly.
  std::string exact(std::uint64_t bits) const;
  // For maps and sentences: "none" for a number with all bits set, which stands for no list; else exact.
  std::string brief(std::uint64_t bits) const;

 private:
  model::ElementType type_;
  unsigned bytes_;
  bool holdsElements_;
};

// What an access to an array or buffer of the launch read, wrote or brought, briefly.
std::string printedAccess(const model::Trace& trace, const model::LaunchTrace& launch,
                          const model::Event& event);

}  // namespace stridescope::narration
