// What the numbers that lessons state of the picture are, from a trace of the CPU executor:
//
//   COUNT VARIANT [TYPE] [DATA] [THREADS]    of one block's load; ints, the first data pattern and the
//   variant's
//                                            threads unless given
//   launches VARIANT N                for N ints
//   blocks VARIANT N                  of the first of these launches
//
//   steps, link_bytes, links, bytes_over_links VARIANT GPUS    its launches, the most bytes that one link
//                                     carries, the links that carry any, and the bytes of all together
//
//   wavefronts, ideal_wavefronts, load_wavefronts, store_wavefronts    of shared memory, over all rounds
//   stride_wavefronts, ideal_stride_wavefronts    over the rounds that have a stride
//   warps, lanes                                  active, over the rounds that have a stride
//   rounds_of_stride_8                            how many
//   way                                           the highest of all requests
//   barriers, warp_barriers                       that thread 0 comes to
//   shuffles, warp_reductions                     of warps
//   sectors_at_28, first_sectors_at_28            of the loads on that line of the kernel's text, over all
//   rounds
//                                                 and in the first
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"

namespace stridescope::views::test {

Result<std::uint64_t> countOf(std::string_view what);

}  // namespace stridescope::views::test
