// A trace with races, made by hand.
#pragma once

#include "model/trace.h"

namespace stridescope::support {

// data[tid] = in[tid] and a barrier, then data[tid] += data[tid + s] for s = threads / 2, ..., 1 without one:
// two rounds. Thread after thread runs, so every sum misses what later threads have not added yet; thread 0
// has 0 + threads / 2 + threads / 4 + ... + 1. Ints, the ramp; one block; `threads` is a power of two.
model::Trace raceTrace(unsigned threads);

}  // namespace stridescope::support
