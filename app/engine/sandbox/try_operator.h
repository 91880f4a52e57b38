// Tries a person's operator before it runs: is it associative, does its identity leave elements as they are
// on both sides, is it commutative? It is tried on small numbers, on the type's edges and on random ones
// (always the same). Two floating results count as equal up to rounding when they differ by at most 16 units
// in the last place of the largest number in the calculation, or when a value in it overflowed. NaN is tried
// only where it is an element or the identity.
//
// The identity is tried on the run's own elements, too, and on what they come to one after another: a wrong
// one is a warning only if it is wrong for one of these and the run uses it at all (kernels::usesIdentity).
//
// No trial proves anything: it finds counter-examples, the most readable of those that it meets.
#pragma once

#include "engine/engine.h"
#include "engine/record_run.h"

namespace stridescope::engine::sandbox {

// The experiment's operator is custom, and `combine` is it. Calls it some 50,000 times.
Result<model::OperatorTrial> tryCombine(const model::Experiment& experiment, const BitsCombine& combine,
                                        const JobControl& job);

}  // namespace stridescope::engine::sandbox
