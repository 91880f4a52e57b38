// The words of shared arrays and buffers: out of a snapshot, and printed as what they are.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/passes.h"
#include "model/trace.h"
#include "narration/round_at.h"

namespace stridescope::narration {

class WordPrinter {
 public:
  explicit WordPrinter(const model::Array& array);
  explicit WordPrinter(model::ElementType type);  // prints elements

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

// The printer for the array that the operand stands in; what stands in a register alone is printed as an
// element.
WordPrinter printerOf(const model::Trace& trace, const model::LaunchTrace& launch,
                      const analysis::Operand& operand);

// What an access to an array or buffer of the launch read, wrote or brought, briefly.
std::string printedAccess(const model::LaunchTrace& launch, const model::Event& event);

// The bits of every element of shared array `array` after the round, zero-extended; nullopt where a byte of
// it was never written. Elements wider than 8 bytes give their lowest 8.
std::vector<std::optional<std::uint64_t>> snapshotWords(const RoundAt& at, std::size_t array);

// Beside a value, or alone: "L3" of list 3; "none" of an exhausted list stays.
inline std::string listMark(const std::string& number) { return number == "none" ? number : "L" + number; }

// The numbers of the lists whose heads a merge compares, in the snapshots.
class HeadLists {
 public:
  explicit HeadLists(const RoundAt& at);
  // The number of a head's list before the round or after it, printed: "none" if the list is exhausted; empty
  // in a round of no merge, or if it is unknown.
  std::string of(std::uint64_t element, bool afterTheRound) const;

  // Whether the shared array holds the lists' numbers, or the heads; false in a round of no merge.
  bool areIn(std::uint32_t array) const { return printer_ && array == arrays_.lists; }
  bool areOf(std::uint32_t array) const { return printer_ && array == arrays_.heads; }

 private:
  const RoundAt at_;
  analysis::HeadArrays arrays_;
  std::optional<WordPrinter> printer_;
};

}  // namespace stridescope::narration
