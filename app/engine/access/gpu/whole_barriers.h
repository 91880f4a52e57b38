// What patches wrote of a block, and those barriers in its shared memory at which all its threads meet.
#pragma once

#include <cstdint>
#include <vector>

#include "access_gpu/log.h"

namespace stridescope::engine::access::gpu {

// What was written of a block.
struct WrittenBlock {
  std::uint64_t block = 0;  // its number in the grid
  std::vector<patched::Entry> entries{};
  std::vector<std::vector<std::uint8_t>> copies{};
  std::vector<std::uint32_t> copiedAt{};  // by copy: the barrier's place in the window; 0: the block's own
};

// A barrier in shared memory at which each of the block's threads arrives, as often as the others, and waits,
// is one of the block: an arrival becomes a block barrier, and waiting there tells no more. The copies that
// were taken at other barriers in shared memory are dropped.
void meetAtWholeBarriers(WrittenBlock& block, unsigned threads);

}  // namespace stridescope::engine::access::gpu
