#include "engine/merge_lists.h"

#include <algorithm>

#include "engine/reference.h"
#include "model/arithmetic.h"

namespace stridescope::engine {
namespace {

bool isLess(model::ElementType type, std::uint64_t a, std::uint64_t b) {
  return model::withType(type, [&](auto zero) {
    using T = decltype(zero);
    return model::elementOfBits<T>(a) < model::elementOfBits<T>(b);
  });
}

}  // namespace

SortedLists listsOf(const model::Experiment& experiment) {
  SortedLists lists;
  if (const model::GivenData* given = experiment.given.get();
      given != nullptr && !given->listLengths.empty()) {
    lists.values = given->values;
    lists.starts.push_back(0);
    for (std::uint32_t length : given->listLengths) lists.starts.push_back(lists.starts.back() + length);
    return lists;
  }
  const std::uint64_t count = experiment.lists != 0 ? experiment.lists : experiment.threads;
  for (std::uint64_t list = 0; list < count; ++list) {
    lists.starts.push_back(std::uint32_t(lists.values.size()));
    for (std::uint64_t i = list; i < experiment.elements; i += count)
      lists.values.push_back(inputElement(experiment, i));
    std::ranges::sort(lists.values.begin() + lists.starts.back(), lists.values.end(),
                      [&](std::uint64_t a, std::uint64_t b) { return isLess(experiment.type, a, b); });
  }
  lists.starts.push_back(std::uint32_t(lists.values.size()));
  return lists;
}

std::vector<std::uint64_t> interleavedValues(const SortedLists& lists) {
  std::vector<std::uint64_t> values;
  for (std::uint32_t j = 0; values.size() < lists.values.size(); ++j)
    for (std::size_t list = 0; list + 1 < lists.starts.size(); ++list)
      if (lists.starts[list] + j < lists.starts[list + 1])
        values.push_back(lists.values[lists.starts[list] + j]);
  return values;
}

std::vector<MergedElement> mergeOf(const model::Experiment& experiment, const SortedLists& lists) {
  std::vector<MergedElement> merged;
  for (std::uint32_t list = 0; list + 1 < lists.starts.size(); ++list)
    for (std::uint32_t i = lists.starts[list]; i < lists.starts[list + 1]; ++i)
      merged.push_back({lists.values[i], list});
  std::ranges::stable_sort(merged, [&](const MergedElement& a, const MergedElement& b) {
    return isLess(experiment.type, a.value, b.value);
  });
  return merged;
}

}  // namespace stridescope::engine
