// Traces of kernels that do not reduce in shared memory alone, made by hand: what their texts say, done step
// by step. Ints, +, the ramp 0, 1, 2, ... unless it says otherwise; one block.
#pragma once

#include <vector>

#include "model/trace.h"

namespace stridescope::support {

// One element per thread in a register, shuffles down by 16, 8, 4, 2, 1 in every warp, one shared slot per
// warp (`partial`), the same shuffles again in warp 0. Rounds: 0 load, 1-5 shuffles, 6 the slots are read,
// 7-11 shuffles, the last with the write. `threads` is a multiple of 32.
model::Trace shuffleTrace(unsigned threads);

// The same with one warp reduction in place of the five shuffles. Rounds: 0 and 1.
model::Trace warpReduceTrace(unsigned threads);

// array[tid] += array[tid + s] in device memory, s = threads, threads / 2, ..., 1, over 2 * threads elements.
model::Trace globalMemoryTrace(unsigned threads);

// Merges sorted lists (a power of two of them), one per thread: `heads` and `owners` in shared memory, s from
// half the threads down, `merged` and `origin` in device memory. A list that is used up stands as INT_MAX.
// Rounds of each element: its load, the strides, the write. `elements`: how many are merged before the trace
// ends as cut; -1: all, not cut.
model::Trace mergeTrace(const std::vector<std::vector<int>>& lists, int elements = -1,
                        bool ownersFirst = false);

// Every thread adds `perThread` elements of `in`, a block apart, as it loads them, then gives the sum to
// total[0] atomically. One round.
model::Trace gridStrideTrace(unsigned threads, unsigned perThread);

}  // namespace stridescope::support
