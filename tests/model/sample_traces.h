// Traces made by hand and at random: what the tests of recordings share.
#pragma once

#include <random>

#include "model/trace.h"

namespace stridescope::model::sample {

// Two launches that use every field: all kinds of events, every space, both halves of a 16-byte access,
// 64-bit values with the top bit set, threads without events, empty copies, problems with and without a site.
Trace everyField();

// The smallest trace that holds together: no sites, no launches.
Trace empty();

// Legal, otherwise anything: in its labels line breaks, too. Its executor is Recorded.
Trace random(std::mt19937_64& generator);

// The trace of a block with so many events per thread, in the mix that a ladder variant makes.
Trace withEvents(unsigned threads, unsigned eventsPerThread);

// As it comes back from a recording: by a recorded executor, with labels that are printable.
Trace recorded(Trace trace);

}  // namespace stridescope::model::sample
