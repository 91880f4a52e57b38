// The marks of a grid's blocks in few bytes: for each block three numbers, one after another. Its start minus
// that of the block before it, or of the grid's first start for the first block, as a number with its sign
// folded in (0, -1, 1, -2, ... are 0, 1, 2, 3, ...); its duration; both in units of `step` nanoseconds; and
// its multiprocessor. Each number takes as many bytes as it needs, seven bits in each, the low ones first,
// the high bit set where another follows (LEB128).
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "model/timeline_record.h"

namespace stridescope::archive {

// The bytes that a block takes: a start within any run that is allowed, a duration, a multiprocessor's
// number.
inline constexpr std::size_t kMaxPackedBlockBytes = 8 + 5 + 2;
inline constexpr std::uint64_t kMaxStep = std::numeric_limits<unsigned>::max();  // as a duration

struct PackedBlocks {
  std::uint64_t firstStart = 0;  // the least start, nanoseconds
  std::uint64_t step = 1;  // at least 1: all starts, counted from there, and durations are multiples of it
  std::vector<std::uint8_t> bytes{};
};

PackedBlocks packBlocks(std::span<const model::BlockRun> blocks);

// False: the bytes are no `count` blocks, or hold a number that no mark has. `blocks` then holds anything.
bool unpackBlocks(const PackedBlocks& packed, std::size_t count, std::vector<model::BlockRun>& blocks);

}  // namespace stridescope::archive
