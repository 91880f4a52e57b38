// What the threads bring into a round that passes values by shuffles.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "narration/round_at.h"

namespace stridescope::teaching {

// For each thread what its register holds before the round, as the rounds before tell it, so that nothing
// tells which threads take part; nullopt: they do not. Empty of a round without shuffles, and where what the
// threads put in does not follow from the rounds before.
std::vector<std::optional<std::uint64_t>> registersBefore(const narration::RoundAt& at);

}  // namespace stridescope::teaching
