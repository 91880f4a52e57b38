// Prints the words of a shared array or a buffer as what they are.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "analysis/passes.h"
#include "model/trace.h"

namespace stridescope::narration {

class WordPrinter {
 public:
  explicit WordPrinter(const model::Array& array);
  explicit WordPrinter(model::ElementType type);  // of elements

  // The words are elements; else they are unsigned numbers: counters, flags, the numbers of lists.
  bool holdsElements() const { return type_.has_value(); }

  // Reads back exactly.
  std::string exact(std::uint64_t bits) const;
  // For maps and sentences: "none" for a number with all bits set, which stands for no list; else exact.
  std::string brief(std::uint64_t bits) const;

 private:
  std::optional<model::ElementType> type_;
  unsigned bytes_;
};

// Of the array that the operand stands in; what stands in a register alone is an element.
WordPrinter printerOf(const model::Trace& trace, const model::LaunchTrace& launch,
                      const analysis::Operand& operand);

// What an access to an array or buffer of the launch read, wrote or brought, briefly.
std::string printedAccess(const model::LaunchTrace& launch, const model::Event& event);

}  // namespace stridescope::narration
