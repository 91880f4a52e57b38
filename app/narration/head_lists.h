// The lists that the heads in a merge's shared memory belong to.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "narration/round_at.h"
#include "narration/word_printer.h"

namespace stridescope::narration {

// Beside a value, or alone: "L3" of list 3; "none" of an exhausted list stays.
inline std::string listMark(const std::string& number) { return number == "none" ? number : "L" + number; }

// A merge keeps their numbers in its second shared array, which the snapshots have.
class HeadLists {
 public:
  explicit HeadLists(const RoundAt& at);
  // The list's number before the round or after it, printed: "none" if the list is exhausted; empty in a
  // round of no merge, or if it is unknown.
  std::string of(std::uint64_t element, bool afterTheRound) const;

  // Whether the shared array holds the lists' numbers; false in a round of no merge.
  bool areIn(std::uint32_t array) const;

 private:
  const RoundAt at_;
  std::optional<WordPrinter> printer_;
};

}  // namespace stridescope::narration
