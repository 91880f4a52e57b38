// The words of shared arrays and buffers: out of a snapshot, and printed as what they are.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/passes.h"
#include "model/array_names.h"
#include "model/trace.h"
#include "narration/round_at.h"

namespace stridescope::narration {

class WordPrinter {
 public:
  // What the array's elements are, or so many bytes of them from byte `within` on.
  explicit WordPrinter(const model::Array& array, std::uint64_t within = 0, unsigned width = ~0u);
  explicit WordPrinter(model::ElementType type);  // prints elements

  // The words are elements; else they are unsigned numbers: counters, flags, the numbers of lists.
  bool holdsElements() const { return type_.has_value(); }

  // Reads back exactly. Several members are "(1, 2.5)", as far as the bits go.
  std::string exact(std::uint64_t bits) const;
  // For maps and sentences: "none" for a number with all bits set, which stands for no list; else exact.
  std::string brief(std::uint64_t bits) const;

 private:
  std::optional<model::ElementType> type_;
  std::vector<model::MemberType> members_;  // their offsets count from what is printed
  unsigned bytes_;
};

// The printer for the array that the operand stands in; what stands in a register alone, or was received in
// a word, is printed as an element.
WordPrinter printerOf(const model::Trace& trace, const model::LaunchTrace& launch,
                      const analysis::Operand& operand);

// "data[16]", "tile[4][0]", "a[2].x": the place of an operand that has one.
std::string operandName(const model::LaunchTrace& launch, const analysis::Operand& operand,
                        model::Digits digits = model::Digits::Grouped);

// What an access to an array or buffer of the launch read, wrote or brought, briefly.
std::string printedAccess(const model::LaunchTrace& launch, const model::Event& event);

// The bits of every element of shared array `array` after the round, zero-extended; nullopt where a byte of
// it was never written. Elements wider than 8 bytes give their lowest 8.
std::vector<std::optional<std::uint64_t>> snapshotWords(const RoundAt& at, std::size_t array);
// The same of one number of each element (model::cellsOf).
std::vector<std::optional<std::uint64_t>> snapshotWords(const RoundAt& at, std::size_t array,
                                                        const model::MemberType& cell);

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

// What lanes passed to each other, as text.

// The bits of a value that was passed, printed: elements of the experiment's type by their width, else as a
// plain number.
std::string exchangedText(const RoundAt& at, const analysis::LaneExchange& exchange, std::uint64_t bits);

// What the thread's register holds after the round: "496"; "?" if the trace does not tell. Requires that the
// thread takes part in an exchange of the round.
std::string registerText(const RoundAt& at, std::uint32_t thread);

// "register + register of lane 16 = 5 + 12 = 17 (replayed)", "5, one of 32, gives 496"; empty if the thread
// passes nothing in this round.
std::string exchangeFormula(const RoundAt& at, std::uint32_t thread);

// What shared and device memory did in a round and why, as parts of a sentence: in small letters, without a
// full stop.

// "each load and the store take 8 wavefronts instead of 1, an 8-way bank conflict"; ", no conflict" where
// there was none. Empty if the round made no request whose wavefronts are known. A cost is told for each warp
// where all warps paid the same, else as a sum over the requests.
std::string wavefrontsClause(const RoundAt& at);

// The same for loads and stores in device memory: "each load touches 4 sectors, the minimum (fully
// coalesced)", "each load touches 8 sectors instead of 4". Empty if there are none.
std::string sectorsClause(const RoundAt& at);

// With the reason in front, one that tells of no conflict by itself included: "because active lanes are 16
// words apart, 16 lanes of load A hit only banks 0 and 16: each load and the store take 8 wavefronts
// instead of 1, an 8-way bank conflict".
std::string bankClause(const RoundAt& at);
bool hasConflict(const RoundAt& at);
// Only where there was a conflict, else empty.
std::string conflictClause(const RoundAt& at);
// With the reason where there was a conflict, else without.
std::string costClause(const RoundAt& at);
std::string sectorClause(const RoundAt& at);

}  // namespace stridescope::narration
