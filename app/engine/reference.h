// What goes in and what must come out: the input of an experiment, and the result of a plain loop over it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/experiment.h"
#include "model/trace.h"

namespace stridescope::engine {

// Element i of the data, as bits of the type (zero-extended).
std::uint64_t inputElement(const model::Experiment& experiment, std::uint64_t i);

// Element i of the input of one of several devices. Where each has a part, its elements are neighbours in the
// data. Where each has an array of n, their arrays follow each other in the data; a person's own data are all
// devices' array, shifted by one element more on each of them.
std::uint64_t inputElement(const model::Experiment& experiment, unsigned device, std::uint64_t i);
// How many elements the device's input has: n where there is one device.
std::uint64_t elementsOfDevice(const model::Experiment& experiment, unsigned device);

// The input in memory, of one of several devices: its elements of bytesOf(type), then identities up to
// `paddedElements`.
std::vector<std::uint8_t> makeInput(const model::Experiment& experiment, std::uint64_t paddedElements,
                                    unsigned device = 0);

struct Check {
  // What comes out, printed: a plain left-to-right loop's value; for floating sums and products the exact
  // value, rounded to the nearest, where the result is finite.
  std::string expected;
  bool ok = false;
  std::string note;  // a sentence where one is needed: the exact value, the bound, what overflows or wraps,
                     // which zero
};

// Holds a result against a plain left-to-right loop. Floating sums and products: by the rules of rounding.h.
// Everything else must have the loop's very bits (integers wrap in two's complement), but that NaNs are equal
// whatever their bits, and that of a floating min or max that is a zero any zero is right whose sign one of
// the zeros among the elements has: 0 and -0 compare equal, so that the order decides which one is left.
Check checkResult(const model::Experiment& experiment, std::uint64_t resultBits);

// Whether the result of a run is right. It is decided here alone, for a run on this machine and for one of a
// recording: by the experiment's type, operator and data, the value that must come out is computed, and the
// result is held against it.
//
// - Sums and products of floating numbers: by the bounds of rounding.h.
// - Other reductions: against a plain loop, as reference.h says.
// - Merges: each value and the list that it came from, against a stable merge.
// - Arrays that devices combine: each element as a reduction of the devices' elements, and each device must
//   have the very bits of the first one.
// - A person's own operator cannot be computed without running its code: the run gets its result first, and
//   its verdict when confined processes (sandbox/) have found what a plain loop gives.

// What a run has left, as bits of the experiment's type.
struct RunValues {
  // One; a merge has all, in the order in which they came out; devices that combine arrays have n each.
  std::vector<std::uint64_t> values{};
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

// The sorted lists of a merge and the order in which they must come out.

// Whether `a` is less than `b`, two elements as bits of the type. A NaN is neither less nor greater.
bool isLess(model::ElementType type, std::uint64_t a, std::uint64_t b);

struct SortedLists {
  std::vector<std::uint64_t> values;  // bits of the type, list after list
  std::vector<std::uint32_t> starts;  // one per list, and the end
};

// The given lists; else element i of the data goes to list i mod k, and each list is sorted. k is
// experiment.lists, or one per thread.
SortedLists listsOf(const model::Experiment& experiment);

// Element j of list i at i + j * k, where k lists' lengths differ by one at most and never grow from one to
// the next, as listsOf() deals a pattern's elements; checkedExperiment() refuses others.
std::vector<std::uint64_t> interleavedValues(const SortedLists& lists);

struct MergedElement {
  std::uint64_t value = 0;   // bits
  std::uint32_t origin = 0;  // its list
};

// By value; equal ones by list, and within a list as they stood.
std::vector<MergedElement> mergeOf(const model::Experiment& experiment, const SortedLists& lists);

}  // namespace stridescope::engine
