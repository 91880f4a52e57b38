// The sorted lists of a merge and the order in which they must come out.
#pragma once

#include <cstdint>
#include <vector>

#include "model/experiment.h"

namespace stridescope::engine {

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
