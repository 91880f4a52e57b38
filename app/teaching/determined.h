// What a round determines: what is the same in every run of the experiment, on whatever machine and in
// whatever order its threads run. Nothing else may be asked.
#pragma once

#include "teaching/asked_run.h"

namespace stridescope::teaching {

struct Determined {
  bool lanes = true;     // which threads do what, and at which addresses
  bool values = true;    // what they leave
  bool arrivals = true;  // which threads come to the barrier that ends it
};

// From the first access of a race on, what memory holds is undetermined, and so it is from an undefined
// shuffle on. Where what races is a counter, a flag or a list's number, or lists are merged, it decides what
// threads do as well; so does what an atomic gives back of a counter. Nothing is determined from where a
// launch deadlocks or an access is out of bounds, and in the round in which a trace was cut. From a barrier
// on that not all threads come to, it is still determined who comes to it, until threads wait at two
// different ones. What went wrong in a launch goes on in those after it.
Determined determinedIn(const AskedRun& run, RoundPlace place);

}  // namespace stridescope::teaching
