// What a load brings from device memory, as a part of a sentence.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "narration/round_at.h"

namespace stridescope::narration {

// "256 threads copy one element each into shared memory", "36 of 64 threads add 16 elements each in
// registers, in loads of 16 bytes".
std::string loadClause(const RoundAt& at);

// How many elements each thread loads from device memory in the round; nullopt if not all the same, or none.
std::optional<std::uint64_t> elementsLoadedEach(const RoundAt& at);

}  // namespace stridescope::narration
