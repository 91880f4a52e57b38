// Where shared arrays lie in a block's window, judged by the accesses that were recorded.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "access_gpu/log.h"
#include "engine/access/gpu/access_log.h"

namespace stridescope::engine::access::gpu {

// `arrays`: the static ones, placed as in a build for debuggers. An optimized build may have them in another
// order, and nothing in it says so. The result has that order, among those that fill the window, in which the
// fewest accesses lie outside of the array that their line of the text names, as far as a line names one of
// the arrays alone; where orders are equally good, that of `arrays`. More than six arrays are left as they
// are. `windowEnd`: where static memory ends in the window. `lineOf`: of an instruction in `text`, 1-based;
// 0: it is not known.
std::vector<PlacedArray> placedByAccesses(std::vector<PlacedArray> arrays, std::uint64_t windowEnd,
                                          const std::vector<patched::Entry>& entries, std::string_view text,
                                          const std::function<int(std::uint64_t pc)>& lineOf);

}  // namespace stridescope::engine::access::gpu
