// The numbers of a round: one small table, the same for the command line, the captions' panel and comparing.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "analysis/lane_use.h"
#include "narration/round_at.h"

namespace stridescope::narration {

struct Figure {
  std::string_view label;  // the term of docs/variants.md
  std::uint64_t value = 0;
  std::uint64_t of = 0;  // the whole that the value is part of; 0: none
  friend bool operator==(const Figure&, const Figure&) = default;
};

// Active lanes, warps with an active lane, partial warps, divergent branches (as the source has them); over
// the shared loads and stores the wavefronts, their ideal, the conflicts and the highest way.
// In a round that accesses device memory also its sectors and their ideal, in one in which lanes only take
// part those that are used.
std::vector<Figure> figuresOf(const RoundAt& at);

// The active lanes, by what becomes of their results.
analysis::LaneCounts lanesByUse(const RoundAt& at);

// Lanes whose value after the round's exchange is still needed; nullopt if lanes pass nothing in it.
std::optional<unsigned> usefulLanes(const RoundAt& at);

}  // namespace stridescope::narration
