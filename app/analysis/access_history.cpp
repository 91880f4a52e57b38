#include "analysis/access_history.h"

#include <utility>

namespace stridescope::analysis {

AccessHistory::Slot& AccessHistory::find(std::uint64_t piece) {
  // Fibonacci hashing: neighbouring pieces spread over the table.
  std::size_t place = std::size_t((piece * 0x9e3779b97f4a7c15ull) >> 32) & (slots_.size() - 1);
  while (slots_[place].generation == generation_ && slots_[place].piece != piece)
    place = (place + 1) & (slots_.size() - 1);
  return slots_[place];
}

std::uint32_t& AccessHistory::headOf(std::uint64_t piece) {
  Slot* slot = &find(piece);
  if (slot->generation != generation_) {
    if (2 * (used_ + 1) > slots_.size()) {
      grow();
      slot = &find(piece);
    }
    *slot = {piece, generation_, 0};
    ++used_;
  }
  return slot->head;
}

void AccessHistory::grow() {
  const std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(2 * slots_.size()));
  for (const Slot& slot : old)
    if (slot.generation == generation_) find(slot.piece) = slot;
}

void AccessHistory::forgetAll() {
  ++generation_;
  used_ = 0;
  accesses_.clear();
}

}  // namespace stridescope::analysis
