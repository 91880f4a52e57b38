// A snapshot's bytes as the elements of one shared array.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "narration/round_at.h"

namespace stridescope::narration {

// The bits of every element of shared array `array` after the round, zero-extended; nullopt where a byte of
// it was never written. Elements wider than 8 bytes give their lowest 8.
std::vector<std::optional<std::uint64_t>> snapshotWords(const RoundAt& at, std::size_t array);

}  // namespace stridescope::narration
