// Do two traces agree: those of one experiment in all, those of a person's own kernel by two machines in the
// shared memory at each block barrier?
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "model/trace.h"

namespace stridescope::analysis {

// Equal: the kernel's text, with what was read in it, is the same; every thread of the inspected blocks has
// the same events in the same order (site, array and offset, value, branch outcome), and the snapshots of
// every round agree where words were written; two NaNs are equal whatever their bits. Values that atomics
// return are not kept and so not compared. nullopt if equal; else a sentence on the first difference: launch,
// round or thread, line, both values. Both traces must be without a fault (model/trace_check.h).
// `ofClusters`: other blocks store into the shared memory of these, at any time between two barriers of the
// cluster, so that a word that has been written in the one alone is no difference.
std::optional<std::string> firstDifference(const model::Trace& a, const model::Trace& b,
                                           bool ofClusters = false);

// The trace as an older program recorded it: without assignments, and without the kernel's model. It must be
// without a fault.
model::Trace withoutAssignments(model::Trace trace);

// Replays the stores of the trace and holds the snapshots against them. nullopt if they agree; else a
// sentence.
std::optional<std::string> replayDifference(const model::Trace& trace);

struct CopiesCompared {
  std::uint64_t barriers = 0;               // of all launches
  std::uint64_t bytes = 0;                  // that were held against each other
  std::optional<std::string> difference{};  // the first, in a sentence; nothing: there is none
};

// Compared are arrays that both have by the same name and size, and in them the bytes that a thread of `one`
// has stored by then: what else lies there is anything. Both traces must be without a fault.
CopiesCompared compareBarrierCopies(const model::Trace& one, const model::Trace& other);

}  // namespace stridescope::analysis
