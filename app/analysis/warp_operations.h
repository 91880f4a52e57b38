// Lines the lanes of a warp up again: from each thread's own events to the operations that the warp's lanes
// made together. A trace does not say which lanes ran together; the source does, and so this is modelled:
//
// - Lanes whose next events have the same site, kind, array, width and iteration of every loop go together.
//   If there are several such groups, the one that is furthest behind in the text goes first: after a branch
//   the lanes meet again at the first place that both sides reach.
// - Warp barriers, shuffles, votes and reductions are rendezvous: a lane waits until every lane of its mask
//   that still has events in this barrier interval has come to the same operation. A lane whose partners
//   never come goes on when no other lane of the warp can.
// - A block barrier ends the interval: it is taken when no lane of the warp can do anything else.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/analysis.h"
#include "analysis/site_table.h"
#include "analysis/thread_path.h"
#include "base/memory_limits.h"

namespace stridescope::analysis {

// What one warp did in a launch.
struct AlignedWarp {
  // The operations in order of execution. A Give has no operation of its own: it stands before its Shuffle,
  // Vote or WarpReduce in the thread's events; a Value has none; the second half of a 16-byte access belongs
  // to the first. Banks and sectors are not filled in.
  std::vector<WarpOperation> operations;
  // Where each barrier interval ends in `operations`. An interval that a block barrier ends has that barrier
  // as its last operations; after the last barrier there may be one more.
  std::vector<std::uint32_t> intervalEnds;
};

struct AlignedWarps {
  std::vector<AlignedWarp> warps;
  // The passes that WarpOperation::pass names so far; the first is for accesses in no loop and no step.
  std::vector<Position> passes;
  bool cut = false;  // the budget ended: they hold the barrier intervals that all warps still had room for
};

AlignedWarps lineUpWarps(const model::LaunchTrace& launch, const SiteTable& sites, MemoryBudget& budget);

}  // namespace stridescope::analysis
