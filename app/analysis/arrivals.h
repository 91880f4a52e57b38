// How the blocks of a launch come to the buffer that joins their results, and what the recorded block has to
// do with it in a round.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/analysis.h"

namespace stridescope::analysis {

// A thread of the recorded block reads what another block left for it.
struct BlockRead {
  std::uint32_t thread = 0;
  std::uint64_t block = 0;
  friend bool operator==(const BlockRead&, const BlockRead&) = default;
};

struct RoundArrivals {
  // The place of the recorded block in LaunchTrace::arrivals, from 0, if it comes in this round.
  std::optional<std::size_t> own{};
  std::vector<BlockRead> reads{};  // by block, then thread
  // The reading threads wait for the words of the others (ParameterRole::Messages); else all have come
  // before.
  bool waits = false;
};

// How many elements of this buffer each block has there; 0: they are not the blocks' own. A word of
// ParameterRole::Messages brings 32 bits of a value below its flag, the lowest first.
std::uint64_t elementsPerBlock(const model::LaunchTrace& launch, const model::Array& buffer);

// What this round of the launch, or one pass of it (PassView::round), has to do with the order of arrival.
// nullopt: the launch does not tell in which order its blocks came, or the round has nothing to do with it.
std::optional<RoundArrivals> arrivalsIn(const model::LaunchTrace& launch, const Round& round);

}  // namespace stridescope::analysis
