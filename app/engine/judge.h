// Whether the result of a run is right. It is decided here alone, for a run on this machine and for one of a
// recording: by the experiment's type, operator and data, the value that must come out is computed, and the
// result is held against it.
//
// - Sums and products of floating numbers: by the bounds of rounding.h.
// - Other reductions: against a plain loop, as reference.h says.
// - Merges: each value and the list that it came from, against a stable merge (merge_lists.h).
// - A person's own operator cannot be computed without running its code: the run gets its result first, and
//   its verdict when confined processes (sandbox/) have found what a plain loop gives.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/trace.h"

namespace stridescope::engine {

// What a run has left, as bits of the experiment's type.
struct RunValues {
  std::vector<std::uint64_t> values{};  // one; a merge has all, in the order in which they came out
  // The list that each value of a merge came from; without them the values alone are judged.
  std::optional<std::vector<std::uint32_t>> origins{};
};

// Sets result, expected, ok and the check's note of the trace. Its experiment must be legal
// (checkedExperiment()) and its launches recorded. Nothing for `values`: the run did not end, and the note
// says why. Takes time in proportion to the experiment's elements.
void judge(model::Trace& trace, const std::optional<RunValues>& values);

// The verdict on a trace of a person's own operator, which has its result: sets trial, expected, ok and the
// note. `expected` is the plain loop's value; empty: there was no way to know it. No bound on the rounding of
// an unknown operator is known, so the two must be equal; where the trial says why they need not be, the note
// does.
void judge(model::Trace& trace, model::OperatorTrial trial, std::string expected);

}  // namespace stridescope::engine
