// The data's promise: every order of combining gives the same bits. Held against orders that reductions take.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>

#include "measure/timing_data.h"
#include "model/arithmetic.h"

namespace stridescope::measure {
namespace {

struct Pair {
  model::ElementType type;
  model::Operator op;
};
std::vector<Pair> allPairs() {
  std::vector<Pair> pairs;
  for (const model::ElementType type : model::kElementTypes)
    for (const model::Operator op : model::kOperators)
      if (model::isOffered(type, op)) pairs.push_back({type, op});
  return pairs;
}

class TimingData : public testing::TestWithParam<Pair> {};

template <class T>
std::vector<T> elementsOf(const Pair& pair, std::uint64_t n) {
  const auto period = timingData(pair.type, pair.op, std::min(n, kDataPeriod));
  std::vector<T> elements(n);
  for (std::uint64_t i = 0; i < n; ++i)
    std::memcpy(&elements[i], period.data() + i % kDataPeriod * sizeof(T), sizeof(T));
  return elements;
}

// The reduction by `threads` threads that stride through the elements, and whose results a tree combines.
template <class T, class Combine>
T strided(const std::vector<T>& elements, std::size_t threads, Combine combine) {
  std::vector<T> partial(threads, Combine::kIdentity);
  for (std::size_t i = 0; i < elements.size(); ++i)
    partial[i % threads] = combine(partial[i % threads], elements[i]);
  for (std::size_t half = threads / 2; half > 0; half /= 2)
    for (std::size_t i = 0; i < half; ++i) partial[i] = combine(partial[i], partial[i + half]);
  return partial[0];
}

template <class T, class Combine>
T halved(std::vector<T> elements, Combine combine) {
  while (elements.size() > 1) {
    const std::size_t rest = (elements.size() + 1) / 2;
    for (std::size_t i = rest; i < elements.size(); ++i)
      elements[i - rest] = combine(elements[i - rest], elements[i]);
    elements.resize(rest);
  }
  return elements[0];
}

TEST_P(TimingData, GivesTheSameBitsInEveryOrder) {
  const Pair pair = GetParam();
  model::withType(pair.type, [&](auto zero) {
    using T = decltype(zero);
    withOperator<T>(pair.op, [&](auto combine) {
      for (const std::uint64_t n : std::vector<std::uint64_t>{1, 150, 1000, 65537, kDataPeriod + 12345}) {
        const auto elements = elementsOf<T>(pair, n);
        const T loop =
            std::accumulate(elements.begin(), elements.end(), decltype(combine)::kIdentity, combine);
        const std::uint64_t expected = expectedResult(pair.type, pair.op, n);
        EXPECT_EQ(model::bitsOfElement(loop), expected) << n;
        EXPECT_EQ(model::bitsOfElement(strided(elements, 256, combine)), expected) << n;
        EXPECT_EQ(model::bitsOfElement(strided(elements, 4096, combine)), expected) << n;
        EXPECT_EQ(model::bitsOfElement(halved(elements, combine)), expected) << n;
      }
    });
  });
}

// A result that lost a tenth of the elements is another one, or the check would see nothing.
TEST_P(TimingData, NoticesWhatIsMissing) {
  const Pair pair = GetParam();
  const std::uint64_t n = 1 << 20;
  int noticed = 0;
  for (int tenth = 1; tenth <= 10; ++tenth)
    noticed += expectedResult(pair.type, pair.op, n) !=
               expectedResult(pair.type, pair.op, n - n / 20 * std::uint64_t(tenth));
  const bool selective = pair.op != model::Operator::Add && pair.op != model::Operator::Xor &&
                         !(pair.op == model::Operator::Multiply && !model::isFloating(pair.type));
  EXPECT_GE(noticed, selective ? 0 : 9);
}

INSTANTIATE_TEST_SUITE_P(AllPairs, TimingData, testing::ValuesIn(allPairs()), [](const auto& each) {
  return std::string(model::nameOf(each.param.type)) + "_" + std::string(model::wordOf(each.param.op));
});

// The largest n: the sums grow with the square root of the elements, and stay exact.
TEST(TimingData, FloatSumsStayExactUpTo2To32) {
  for (const std::uint64_t n : {1ull << 24, 1ull << 30, 1ull << 32}) {
    const std::uint64_t bits = expectedResult(model::ElementType::Float, model::Operator::Add, n);
    float sum = 0;
    std::memcpy(&sum, &bits, sizeof sum);
    EXPECT_LT(std::abs(sum), 1 << 24) << n;
  }
}

TEST(TimingData, IsThereForWhatCanBeChecked) {
  EXPECT_TRUE(isTimed(model::ElementType::Int, model::Operator::Xor));
  EXPECT_FALSE(isTimed(model::ElementType::Float, model::Operator::Xor));
  EXPECT_FALSE(isTimed(model::ElementType::Int, model::Operator::Subtract));
  EXPECT_FALSE(isTimed(model::ElementType::Int, model::Operator::Custom));
}

TEST(TimingData, TellsAWrongResultInFull) {
  EXPECT_EQ(wrongResultText(model::ElementType::Int, 0xffffffff, 7), "gave -1 instead of 7");
}

}  // namespace
}  // namespace stridescope::measure
