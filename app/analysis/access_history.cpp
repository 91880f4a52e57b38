#include "analysis/access_history.h"

#include <algorithm>
#include <utility>

#include "analysis/lane_mask.h"

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

void WarpClock::meet(std::uint32_t lanes) {
  ++phase_;
  PhasePerLane joined{};
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = lowestLane(rest);
    for (std::size_t other = 0; other < model::kWarpSize; ++other)
      joined[other] = std::max(joined[other], seen_[lane][other]);
  }
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) joined[lowestLane(rest)] = phase_;
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = lowestLane(rest);
    seen_[lane] = joined;
    std::uint32_t least = ~0u;
    for (std::size_t other = 0; other < model::kWarpSize; ++other)
      if (other != lane) least = std::min(least, joined[other]);
    seenOfAll_[lane] = least;
  }
}

std::uint32_t WarpClock::unorderedOneByOne(std::uint32_t lanes, std::uint32_t phase, unsigned lane) const {
  std::uint32_t unordered = 0;
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const auto other = lowestLane(rest);
    if (phase >= seen_[lane][other]) unordered |= bitOf(other);
  }
  return unordered;
}

}  // namespace stridescope::analysis
