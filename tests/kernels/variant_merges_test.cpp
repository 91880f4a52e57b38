// The merges against a loop that looks for the least head: any number of lists with any length, equal values,
// exhausted lists beside live ones that hold the largest value there is.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <limits>

#include "analysis/analysis.h"
#include "analysis/data_flow.h"
#include "engine/host/host_engine.h"
#include "kernels/catalog.h"
#include "model/arithmetic.h"

namespace stridescope::kernels {
namespace {

constexpr engine::RecordLimits kLimits{.eventsPerThread = 1u << 20, .traceBytes = 1ull << 28};

template <class T>
using Lists = std::vector<std::vector<T>>;

template <class T>
constexpr model::ElementType kTypeOf = model::ElementType::Int;
template <>
constexpr model::ElementType kTypeOf<unsigned> = model::ElementType::Unsigned;
template <>
constexpr model::ElementType kTypeOf<long long> = model::ElementType::Int64;
template <>
constexpr model::ElementType kTypeOf<float> = model::ElementType::Float;
template <>
constexpr model::ElementType kTypeOf<double> = model::ElementType::Double;

template <class T>
model::Experiment mergeOf(const std::string& variant, const Lists<T>& lists, unsigned threads) {
  model::GivenData given{.name = "lists"};
  for (const auto& list : lists) {
    for (T value : list) given.values.push_back(model::bitsOfElement(value));
    given.listLengths.push_back(std::uint32_t(list.size()));
  }
  const std::uint64_t elements = given.values.size();
  return {.variant = variant,
          .type = kTypeOf<T>,
          .op = model::Operator::Min,
          .threads = threads,
          .elements = elements,
          .data = model::DataPattern::Given,
          .lists = unsigned(lists.size()),
          .given = model::SharedData(std::move(given))};
}

struct Output {
  std::vector<std::string> values;
  std::vector<std::uint64_t> origins;
};

// The first list whose head is less than all before it and not greater than any after it.
template <class T>
Output leastHeads(const Lists<T>& lists) {
  Output output;
  std::vector<std::size_t> next(lists.size());
  for (;;) {
    std::size_t least = lists.size();
    for (std::size_t list = 0; list < lists.size(); ++list) {
      if (next[list] == lists[list].size()) continue;
      if (least == lists.size() || lists[list][next[list]] < lists[least][next[least]]) least = list;
    }
    if (least == lists.size()) return output;
    std::ostringstream printed;
    printed.precision(std::numeric_limits<T>::max_digits10);
    printed << lists[least][next[least]++];
    output.values.push_back(printed.str());
    output.origins.push_back(least);
  }
}

// What the launch stored to a buffer, element by element.
std::vector<std::uint64_t> storedTo(const model::LaunchTrace& launch, std::string_view buffer) {
  std::vector<std::uint64_t> stored;
  for (const model::Event& event : launch.recorded().events) {
    if (event.kind() != model::EventKind::Store || !event.inGlobal()) continue;
    const model::Array& array = launch.buffers[event.buffer()];
    if (array.name != buffer) continue;
    const std::size_t element = event.offset() / array.elementBytes;
    stored.resize(std::max(stored.size(), element + 1));
    stored[element] = event.value;
  }
  return stored;
}

class Merges : public testing::TestWithParam<std::string> {
 protected:
  template <class T>
  void expectMerged(const Lists<T>& lists, unsigned threads) {
    engine::JobControl job;
    const auto trace =
        engine::host::makeHostEngine(kLimits)->record(mergeOf(GetParam(), lists, threads), job);
    ASSERT_TRUE(trace.has_value()) << trace.error().sentence;
    const Output expected = leastHeads(lists);
    std::istringstream printed(trace->result);
    for (std::size_t i = 0; i < std::min<std::size_t>(64, expected.values.size()); ++i) {
      std::string value;
      printed >> value;
      EXPECT_EQ(value, expected.values[i]) << "element " << i;
    }
    EXPECT_EQ(storedTo(trace->launches[0], "origin"), expected.origins);
    EXPECT_TRUE(trace->ok) << trace->checkNote;
  }
};

TEST_P(Merges, EqualValuesComeFromTheLowestListFirst) {
  expectMerged<int>({{1, 4, 4, 9}, {0, 4, 9}, {4, 4}, {-3, 4, 9, 9, 12}}, 32);
}

TEST_P(Merges, ListsMayBeEmptyOrAlone) {
  expectMerged<int>({{}, {5, 6}, {}, {}, {1}, {}}, 32);
  expectMerged<unsigned>({{3, 3, 7}}, 32);
  expectMerged<double>({{}, {}}, 64);
  expectMerged<int>({}, 32);
}

TEST_P(Merges, ALiveLargestValueBeatsAnExhaustedList) {
  constexpr int largest = std::numeric_limits<int>::max();
  constexpr long long largest64 = std::numeric_limits<long long>::max();
  constexpr unsigned largestUnsigned = std::numeric_limits<unsigned>::max();
  expectMerged<int>({{1}, {largest, largest}, {2, largest}}, 32);
  expectMerged<unsigned>({{1}, {largestUnsigned, largestUnsigned}, {2, largestUnsigned}}, 32);
  expectMerged<long long>({{1}, {2, largest64}, {largest64, largest64}}, 32);
  constexpr float infinity = std::numeric_limits<float>::infinity();
  expectMerged<float>({{1}, {-infinity, 2, infinity}, {infinity}, {-1.5f, infinity}}, 32);
}

TEST_P(Merges, AThousandListsMostOfThemEmpty) {
  Lists<int> lists(1000);
  for (std::size_t list = 3; list < lists.size(); list += 25)
    for (std::size_t i = 0; i <= list % 3; ++i) lists[list].push_back(int(list * 37 % 11 + 5 * i));
  expectMerged<int>(lists, 1024);
}

TEST_P(Merges, TwoLongLists) {
  Lists<double> lists(2);
  for (int i = 0; i < 1000; ++i) lists[i % 3 == 0 ? 1 : 0].push_back(i / 4 * 0.5);
  expectMerged<double>(lists, 32);
}

// The least blocks, and lists in them that are fewer.
TEST_P(Merges, InBlocksOfLessThanAWarp) {
  expectMerged<int>({{1, 5}, {2, 3}}, 2);
  expectMerged<int>({{4, 4}, {4, 4}, {0, 9}}, 4);
  expectMerged<double>({{1, 2}, {2, 3}, {1, 7}, {0, 0}, {5}}, 8);
}

INSTANTIATE_TEST_SUITE_P(Catalog, Merges, testing::Values("k_way_merge", "k_way_merge_near"),
                         [](const auto& one) { return one.param; });

// Lists of one length, the last ones shorter by one.
class EvenMerges : public Merges {};

TEST_P(EvenMerges, OfAnyNumber) {
  expectMerged<int>({{1, 4, 4, 9}, {0, 4, 9, 9}, {4, 4, 5}, {-3, 4, 9}}, 32);
  expectMerged<int>({{1, 5}, {2, 3}}, 2);
  expectMerged<unsigned>({{3, 3, 7}}, 32);
  expectMerged<double>({{}, {}}, 64);
  expectMerged<int>({}, 32);
  constexpr long long largest = std::numeric_limits<long long>::max();
  expectMerged<long long>({{1, largest}, {2, largest}, {largest}}, 4);
}

TEST_P(EvenMerges, OfAsManyAsABlockHasThreads) {
  Lists<int> lists(256);
  for (std::size_t list = 0; list < lists.size(); ++list)
    for (std::size_t i = 0; i < (list < 100 ? 2 : 1); ++i) lists[list].push_back(int(list * 37 % 11 + 5 * i));
  expectMerged<int>(lists, 256);
}

INSTANTIATE_TEST_SUITE_P(Catalog, EvenMerges,
                         testing::Values("k_way_merge", "k_way_merge_near", "k_way_merge_interleaved"),
                         [](const auto& one) { return one.param; });

// As in every other variant: operand A is the thread's own, B the other one.
TEST_P(EvenMerges, CompareTheirOwnHeadWithTheOther) {
  engine::JobControl job;
  const auto trace = engine::host::makeHostEngine()->record({.variant = GetParam(),
                                                             .op = model::Operator::Min,
                                                             .threads = 16,
                                                             .elements = 48,
                                                             .data = model::DataPattern::Random},
                                                            job);
  ASSERT_TRUE(trace.has_value()) << trace.error().sentence;
  const analysis::Analysis analysis = analysis::analyse(*trace);
  const auto flow = analysis::findDataFlow(*trace, trace->launches[0], analysis.launches[0]);
  unsigned compared = 0;
  for (std::size_t r = 0; r < flow.size(); ++r) {
    const auto stride = analysis.launches[0].rounds[r].stride;
    if (!stride || analysis.launches[0].rounds[r].kind != analysis::RoundKind::Merge) continue;
    for (const analysis::ThreadWork& work : flow[r].work) {
      ASSERT_TRUE(work.a && work.b);
      EXPECT_EQ(work.a->element, work.thread) << "round " << r;
      EXPECT_EQ(work.b->element, work.thread + *stride) << "round " << r;
      ++compared;
    }
  }
  EXPECT_EQ(compared, 48u * 15) << "8, 4, 2 and 1 threads for each value";
}

}  // namespace
}  // namespace stridescope::kernels
