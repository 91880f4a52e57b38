// Runs that are equal up to a round, and do something else from it on.
#pragma once

#include "model/trace.h"

namespace stridescope::views::test {

// A run, and the round of one launch from which another one may differ.
struct Fork {
  model::Trace trace;
  unsigned round = 0, launch = 0;
};

// Other values are stored, and become of variables. The run's result is another, and wrong.
model::Trace withOtherValues(const Fork& fork);
// The last thread does what the first did, the last but one what the second did, and so on.
model::Trace withOtherThreads(const Fork& fork);
// Threads `first` to `last` do nothing up to the next block barrier.
model::Trace withoutThreads(const Fork& fork, unsigned first, unsigned last);
// The elements of shared memory that are accessed have changed places: each with the one whose index differs
// in the bit `flip`.
model::Trace withOtherCells(const Fork& fork, unsigned flip);
// In the fork's round, the second of two threads stores where the first does.
model::Trace withARace(const Fork& fork, unsigned first, unsigned second);
// In the fork's round, the thread stores where nothing is.
model::Trace withAProblem(const Fork& fork, unsigned thread);

}  // namespace stridescope::views::test
