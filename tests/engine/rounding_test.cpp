// Floating sums and products: the verdict on a result against integer arithmetic by hand, and by the rules
// for what is not finite and for zeros.
#include "engine/rounding.h"

#include <gmock/gmock.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "big_binary.h"
#include "engine/exact_sum.h"
#include "engine/host/host_engine.h"
#include "kernels/catalog.h"
#include "model/arithmetic.h"

namespace stridescope::engine {
namespace {

using test::BigBinary;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr double kInf = std::numeric_limits<double>::infinity(),
                 kNan = std::numeric_limits<double>::quiet_NaN();

template <class T>
constexpr model::ElementType kTypeOf = sizeof(T) == 4 ? model::ElementType::Float
                                                      : model::ElementType::Double;

// An experiment of no variant that the catalogue knows, so that an element may pass through n - 1 additions.
template <class T>
model::Experiment experimentOf(const std::vector<T>& elements, model::Operator op) {
  model::GivenData given{.name = "by hand"};
  for (const T element : elements) given.values.push_back(model::bitsOfElement(element));
  return {.variant = "any",
          .type = kTypeOf<T>,
          .op = op,
          .elements = elements.size(),
          .data = model::DataPattern::Given,
          .given = model::SharedData(std::move(given))};
}
template <class T>
Check checkOf(const std::vector<T>& elements, model::Operator op, T result) {
  return checkResult(experimentOf(elements, op), model::bitsOfElement(result));
}
template <class T>
std::string printed(T value) {
  return model::printElement(kTypeOf<T>, model::bitsOfElement(value));
}

template <class T>
T nearest(const BigBinary& value) {
  if constexpr (sizeof(T) == 4)
    return value.nearestFloat();
  else
    return value.nearestDouble();
}

// |result - exact| <= gamma(k) * scale, without a division: gamma(k) = k / (2^p - k).
template <class T>
bool isWithin(T result, const BigBinary& exact, std::uint64_t k, const BigBinary& scale) {
  constexpr std::uint64_t kInverse = 1ull << std::numeric_limits<T>::digits;
  return (BigBinary(double(result)) - exact).magnitude() * BigBinary(kInverse - k) <= BigBinary(k) * scale;
}

// The results round the border between right and wrong, and far from it.
template <class T>
std::vector<T> resultsNear(const BigBinary& exact, std::uint64_t k, const BigBinary& scale) {
  std::vector<T> results{nearest<T>(exact), 0, T(1), std::numeric_limits<T>::lowest()};
  for (const BigBinary& side : {scale, scale.negated()}) {
    // k u scale, which is less than gamma(k) scale by less than a thousandth.
    T result = nearest<T>(exact + side * BigBinary(k).timesPowerOfTwo(-std::numeric_limits<T>::digits));
    for (int i = 0; i < 3; ++i) result = std::nextafter(result, nearest<T>(exact));
    for (int i = 0; i < 6; ++i) {
      results.push_back(result);
      result = std::nextafter(result, side.isNegative() ? -std::numeric_limits<T>::infinity()
                                                        : std::numeric_limits<T>::infinity());
    }
  }
  return results;
}

template <class T>
class Rounding : public testing::Test {
 protected:
  // A number whose exponent is within `range` of 1's, or any finite number at all.
  T number(int range) {
    const auto bits = generator_();
    if (range > 0)
      return T(std::ldexp(1 + double(bits >> 12) * 0x1p-52, int(bits % unsigned(2 * range)) - range)) *
             (bits % 7 < 3 ? T(-1) : T(1));
    const T any = model::elementOfBits<T>(sizeof(T) == 4 ? bits & 0xffffffff : bits);
    return std::isfinite(any) ? any : T(1);
  }
  std::mt19937_64 generator_{12};
};
using FloatingTypes = testing::Types<float, double>;
TYPED_TEST_SUITE(Rounding, FloatingTypes);

TYPED_TEST(Rounding, SumsAreHeldAgainstTheExactOne) {
  using T = TypeParam;
  int right = 0, wrong = 0;
  for (int round = 0; round < 300; ++round) {
    std::vector<T> elements(2 + std::size_t(round % 40));
    for (T& element : elements) element = this->number(round % 3 * 30);  // any size, like ones, wide
    if (round % 5 == 0) elements.push_back(-elements.front());           // cancels out
    BigBinary exact, magnitude;
    for (const T element : elements) {
      exact = exact + BigBinary(double(element));
      magnitude = magnitude + BigBinary(double(element)).magnitude();
    }
    const std::uint64_t k = elements.size() - 1;
    for (const T result : resultsNear<T>(exact, k, magnitude)) {
      if (!std::isfinite(result)) continue;
      const Check check = checkOf(elements, model::Operator::Add, result);
      const bool ok = result == nearest<T>(exact) || isWithin(result, exact, k, magnitude);
      EXPECT_EQ(check.ok, ok) << "round " << round << ", " << printed(result) << ": " << check.note;
      EXPECT_EQ(check.expected, printed(nearest<T>(exact)));
      ++(ok ? right : wrong);
    }
  }
  EXPECT_GT(right, 1000);
  EXPECT_GT(wrong, 1000);
}

TYPED_TEST(Rounding, ProductsAreHeldAgainstTheExactOne) {
  using T = TypeParam;
  int right = 0, wrong = 0;
  for (int round = 0; round < 300; ++round) {
    std::vector<T> elements(2 + std::size_t(round % 11));
    for (T& element : elements) element = this->number(4);  // no partial product overflows or underflows
    BigBinary exact(1.0);
    for (const T element : elements) exact = exact * BigBinary(double(element));
    const std::uint64_t k = elements.size() - 1;
    elements.insert(elements.begin() + 1, {T(1), T(-1), T(-1)});  // are no factors that round
    for (const T result : resultsNear<T>(exact, k, exact.magnitude())) {
      const Check check = checkOf(elements, model::Operator::Multiply, result);
      const bool ok = result == nearest<T>(exact) || isWithin(result, exact, k, exact.magnitude());
      EXPECT_EQ(check.ok, ok) << "round " << round << ", " << printed(result) << ": " << check.note;
      EXPECT_EQ(check.expected, printed(nearest<T>(exact)));
      ++(ok ? right : wrong);
    }
  }
  EXPECT_GT(right, 1000);
  EXPECT_GT(wrong, 1000);
}

// What is held against the exact value must itself be sound: any order's result is within the bound, however
// much its partial products underflow.
TYPED_TEST(Rounding, AnyOrderOfAProductIsRight) {
  using T = TypeParam;
  const int range = sizeof(T) == 4 ? 60 : 500;
  int underflown = 0;
  for (int round = 0; round < 2000; ++round) {
    std::vector<T> elements(3 + std::size_t(round % 6));
    for (T& element : elements) element = this->number(range);
    std::vector<T> rest = elements;
    while (rest.size() > 1) {  // two of them, anywhere, become their product
      std::swap(rest[this->generator_() % rest.size()], rest.back());
      const T last = rest.back();
      rest.pop_back();
      rest[this->generator_() % rest.size()] *= last;
    }
    if (!std::isfinite(rest.front())) continue;
    const Check check = checkOf(elements, model::Operator::Multiply, rest.front());
    EXPECT_TRUE(check.ok) << "round " << round << ": " << printed(rest.front()) << " for " << check.expected
                          << ": " << check.note;
    underflown += check.note.find("can underflow") != std::string::npos;
  }
  EXPECT_GT(underflown, 100);
}

TYPED_TEST(Rounding, AnyOrderOfASumIsRight) {
  using T = TypeParam;
  for (int round = 0; round < 2000; ++round) {
    std::vector<T> elements(3 + std::size_t(round % 6));
    for (T& element : elements) element = this->number(round % 3 * 40);
    std::vector<T> rest = elements;
    while (rest.size() > 1) {
      std::swap(rest[this->generator_() % rest.size()], rest.back());
      const T last = rest.back();
      rest.pop_back();
      rest[this->generator_() % rest.size()] += last;
    }
    if (!std::isfinite(rest.front())) continue;
    const Check check = checkOf(elements, model::Operator::Add, rest.front());
    EXPECT_TRUE(check.ok) << "round " << round << ": " << printed(rest.front()) << " for " << check.expected
                          << ": " << check.note;
  }
}

TEST(ExactSum, IsExactOverAllExponents) {
  // The extremes: 2^-1074 + 2^1023 + 1 - 2^1023 - 1 = 2^-1074.
  EXPECT_EQ(
      checkOf({0x1p-1074, 0x1p1023, 1.0, -0x1p1023, -1.0}, model::Operator::Add, 0x1p-1074)
          .note.find("The exact sum is 4.9406564584124654418e-324. This order is as near as its type can be"),
      0u);
  // A trace more than halfway between 1 and the next double.
  EXPECT_EQ(checkOf({1.0, 0x1p-53}, model::Operator::Add, 1.0).expected, "1");
  EXPECT_EQ(checkOf({1.0, 0x1p-53, 0x1p-1074}, model::Operator::Add, 1.0).expected, "1.0000000000000002");
  // 2^12 times the largest double: beyond the range, but not beyond what is exact.
  std::vector<double> many(1 << 12, std::numeric_limits<double>::max());
  many.resize(2 << 12, -std::numeric_limits<double>::max());
  many.push_back(3);
  EXPECT_EQ(checkOf(many, model::Operator::Add, 3.0).expected, "3");
}

TEST(ExactSum, TakesTheLargestN) {
  // splitmix64's numbers modulo 101, added as integers.
  model::Experiment experiment{.variant = "vectorized_atomic",
                               .type = model::ElementType::Double,
                               .op = model::Operator::Add,
                               .threads = 256,
                               .elements = 1 << 24,
                               .data = model::DataPattern::Random};
  std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i < experiment.elements; ++i) {
    std::uint64_t z = experiment.seed + i + 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    sum += (z ^ (z >> 31)) % 101;
  }
  const Check check = checkResult(experiment, model::bitsOfElement(double(sum)));
  EXPECT_TRUE(check.ok);
  EXPECT_EQ(check.expected, std::to_string(sum));
  EXPECT_EQ(check.note, "");
}

// The case of a lost 1: a tree that adds the large ones first finds it again.
TEST(CheckSum, TheExactSumIsRightWhateverAPlainLoopGives) {
  const Check tree = checkOf({1e30, 1.0, -1e30}, model::Operator::Add, 1.0);
  EXPECT_TRUE(tree.ok);
  EXPECT_EQ(tree.expected, "1");
  EXPECT_THAT(tree.note, StartsWith("The exact sum is 1. This order is as near as its type can be"));
  EXPECT_THAT(tree.note, HasSubstr("Left to right it would be 0, off by 1."));
  const Check loop = checkOf({1e30, 1.0, -1e30}, model::Operator::Add, 0.0);
  EXPECT_EQ(loop.expected, "1");
  EXPECT_THAT(loop.note, StartsWith("The exact sum is 1. This order is off by 1"));
}

TEST(CheckSum, WhatIsNotFiniteIsRightOnlyIfThePlainLoopGivesIt) {
  const auto check = [](const std::vector<double>& elements, double result) {
    return checkOf(elements, model::Operator::Add, result);
  };
  EXPECT_TRUE(check({kInf, 1}, kInf).ok);
  EXPECT_EQ(check({kInf, 1}, kInf).note, "");
  EXPECT_FALSE(check({kInf, 1}, -kInf).ok);
  EXPECT_FALSE(check({kInf, 1}, kNan).ok);
  EXPECT_FALSE(check({kInf, 1}, 1).ok);
  EXPECT_EQ(check({kInf, 1}, 1).expected, "inf");
  EXPECT_TRUE(check({kInf, -kInf}, kNan).ok);
  EXPECT_TRUE(check({kInf, -kInf}, -kNan).ok);
  EXPECT_FALSE(check({kInf, -kInf}, 0).ok);

  // (a + c) + (b + d) overflows, left to right does not.
  const std::vector<double> turns{1e308, -1e308, 1e308, -1e308};
  EXPECT_TRUE(check(turns, 0).ok);
  const Check overflown = check(turns, kNan);
  EXPECT_FALSE(overflown.ok);
  EXPECT_EQ(overflown.expected, "0");
  EXPECT_EQ(overflown.note,
            "The exact sum is 0. In this order a partial sum overflows. Left to right it would be as near as "
            "its type "
            "can be.");

  // The other way round: left to right overflows, the tree does not and is exact.
  const std::vector<double> pairs{1e308, 1e308, -1e308, -1e308};
  const Check exact = check(pairs, 0);
  EXPECT_TRUE(exact.ok);
  EXPECT_EQ(exact.expected, "0");
  EXPECT_THAT(exact.note, HasSubstr("Left to right it would be inf, no number that is near."));
  const Check same = check(pairs, kInf);
  EXPECT_TRUE(same.ok);
  EXPECT_EQ(same.expected, "inf");
  EXPECT_EQ(same.note,
            "The exact sum is 0. In this order a partial sum overflows, as it does left to right.");
  EXPECT_FALSE(check(pairs, kNan).ok);
  EXPECT_FALSE(check(pairs, -kInf).ok);
}

TEST(CheckSum, ASumBeyondTheRangeIsInfinite) {
  const Check inf = checkOf({1e308, 1e308}, model::Operator::Add, kInf);
  EXPECT_TRUE(inf.ok);
  EXPECT_EQ(inf.expected, "inf");
  EXPECT_THAT(inf.note, HasSubstr("beyond the range of double"));
  EXPECT_FALSE(checkOf({1e308, 1e308}, model::Operator::Add, 1.7e308).ok);
  // There are so many elements that rounding may have kept the sum in range.
  std::vector<float> ones(1 << 20, std::numeric_limits<float>::max() / (1 << 20));
  ones.push_back(std::numeric_limits<float>::max() / 1000);
  const Check finite = checkOf(ones, model::Operator::Add, std::numeric_limits<float>::max());
  EXPECT_TRUE(finite.ok);
  EXPECT_EQ(finite.expected, "inf");
}

TEST(CheckSum, NegativeZeroIsRightOfNegativeZerosAlone) {
  const auto check = [](const std::vector<float>& elements, float result) {
    return checkOf(elements, model::Operator::Add, result);
  };
  EXPECT_TRUE(check({-0.0f, -0.0f}, -0.0f).ok);
  EXPECT_EQ(check({-0.0f, -0.0f}, -0.0f).expected, "-0");
  EXPECT_TRUE(check({-0.0f, -0.0f}, 0.0f).ok);
  EXPECT_EQ(check({-0.0f, -0.0f}, 0.0f).expected, "0");
  EXPECT_THAT(check({-0.0f, -0.0f}, 0.0f).note, HasSubstr("both are right"));
  EXPECT_FALSE(check({-0.0f, -0.0f}, 1e-45f).ok);
  EXPECT_TRUE(check({-0.0f, 0.0f}, 0.0f).ok);
  EXPECT_EQ(check({-0.0f, 0.0f}, 0.0f).note, "");
  EXPECT_FALSE(check({-0.0f, 0.0f}, -0.0f).ok);
  EXPECT_FALSE(check({1, -1}, -0.0f).ok);
  EXPECT_TRUE(check({1, -1}, 0.0f).ok);
  EXPECT_FALSE(check({}, -0.0f).ok);
  EXPECT_TRUE(check({}, 0.0f).ok);
}

TEST(CheckProduct, WhatIsNotFiniteIsRightOnlyIfThePlainLoopGivesIt) {
  const auto check = [](const std::vector<double>& elements, double result) {
    return checkOf(elements, model::Operator::Multiply, result);
  };
  const std::vector<double> late{10, 1e-308, 1e308}, early{10, 1e308, 1e-308};
  EXPECT_TRUE(check(late, 10).ok);
  EXPECT_FALSE(check(late, kInf).ok);
  EXPECT_TRUE(check(early, 10).ok);
  EXPECT_TRUE(check(early, kInf).ok);
  EXPECT_FALSE(check(early, -kInf).ok);
  EXPECT_FALSE(check(early, kNan).ok);
  // Infinity times 0.
  EXPECT_TRUE(check({1e308, 1e308, 0}, kNan).ok);
  EXPECT_TRUE(check({1e308, 1e308, 0}, 0).ok);
  EXPECT_FALSE(check({0, 1e308, 1e308}, kNan).ok);
  EXPECT_EQ(check({0, 1e308, 1e308}, kNan).expected, "0");
  EXPECT_TRUE(check({0, kInf}, kNan).ok);
  EXPECT_FALSE(check({0, kInf}, 0).ok);
  EXPECT_TRUE(check({-2, kInf}, -kInf).ok);
  EXPECT_EQ(check({-2, kInf}, 1).expected, "-inf");
}

// 400 factors: neither a double nor a long double holds the partial products.
TEST(CheckProduct, TheExactProductHasNoRangeToLeave) {
  std::vector<double> elements;
  for (int i = 0; i < 400; ++i) elements.push_back(i % 2 == 0 ? 1e300 : 1e-300);
  std::vector<double> sorted = elements;
  std::ranges::sort(sorted);
  for (const auto& order : {elements, sorted}) {
    const Check check = checkOf(order, model::Operator::Multiply, 1.0);
    EXPECT_TRUE(check.ok);
    // 1e300 and 1e-300 are no powers of ten in binary: their product is 1 - 4e-17 or so.
    EXPECT_EQ(check.expected, printed([&] {
                BigBinary exact(1.0);
                for (const double factor : order) exact = exact * BigBinary(factor);
                return exact.nearestDouble();
              }()));
  }
  EXPECT_FALSE(checkOf(elements, model::Operator::Multiply, -1.0).ok);
}

TEST(CheckProduct, TellsWhatUnderflowMayLose) {
  const std::vector<double> elements{0x1p-600, 0x1p-600, 0x1p600, 0x1p600};
  EXPECT_EQ(checkOf(elements, model::Operator::Multiply, 1.0).expected, "1");
  const Check lost = checkOf(elements, model::Operator::Multiply, 0.0);  // as left to right
  EXPECT_TRUE(lost.ok);
  EXPECT_THAT(lost.note, HasSubstr("Partial products can underflow."));
  EXPECT_FALSE(checkOf(elements, model::Operator::Multiply, -0.0).ok);
  // Nothing underflows here, and nothing may be lost.
  EXPECT_FALSE(checkOf({0x1p-500, 0x1p500}, model::Operator::Multiply, 0.0).ok);
}

TEST(CheckProduct, AZeroHasTheFactorsSign) {
  EXPECT_TRUE(checkOf({-2.0, 0.0}, model::Operator::Multiply, -0.0).ok);
  EXPECT_EQ(checkOf({-2.0, 0.0}, model::Operator::Multiply, -0.0).expected, "-0");
  EXPECT_FALSE(checkOf({-2.0, 0.0}, model::Operator::Multiply, 0.0).ok);
  EXPECT_TRUE(checkOf({-2.0, -0.0}, model::Operator::Multiply, 0.0).ok);
  EXPECT_TRUE(checkOf({-1.0, 1e-200, 1e-200}, model::Operator::Multiply, -0.0).ok);
  EXPECT_FALSE(checkOf({-1.0, 1e-200, 1e-200}, model::Operator::Multiply, 0.0).ok);
}

TEST(CheckProduct, CallsExactOnlyWhatIs) {
  const std::vector<float> few{1.1f, 1.2f, 1.3f};
  EXPECT_THAT(checkOf(few, model::Operator::Multiply, 1.0f).note, StartsWith("The exact product is 1.716"));
  const std::vector<float> many(12, 1.1f);  // 12 * 23 bits and some
  EXPECT_THAT(checkOf(many, model::Operator::Multiply, 1.0f).note, StartsWith("The product is 3.138"));
}

TEST(CheckExtreme, EitherZeroThatIsAmongTheElementsIsRight) {
  const auto check = [](const std::vector<double>& elements, model::Operator op, double result) {
    return checkOf(elements, op, result);
  };
  for (const model::Operator op : {model::Operator::Min, model::Operator::Max}) {
    const Check both = check({-0.0, 0.0}, op, 0.0);
    EXPECT_TRUE(both.ok);
    EXPECT_EQ(both.expected, "0");
    EXPECT_TRUE(check({-0.0, 0.0}, op, -0.0).ok);
    EXPECT_EQ(check({0.0, -0.0}, op, -0.0).expected, "-0");
    EXPECT_TRUE(check({-0.0, -0.0}, op, -0.0).ok);
    EXPECT_FALSE(check({-0.0, -0.0}, op, 0.0).ok);
    EXPECT_FALSE(check({0.0, 0.0}, op, -0.0).ok);
    EXPECT_EQ(check({-0.0}, op, -0.0).expected, "-0");
  }
  EXPECT_THAT(check({-0.0, 0.0}, model::Operator::Max, 0.0).note, HasSubstr("the order decides"));
  EXPECT_FALSE(check({-0.0, 0.0, 1}, model::Operator::Max, 0.0).ok);
  EXPECT_TRUE(check({kInf, 1}, model::Operator::Max, kInf).ok);
  EXPECT_FALSE(check({kInf, 1}, model::Operator::Max, kNan).ok);
}

TEST(MayOverflow, IsTrueOnlyWhereSomeOrderLeavesTheRange) {
  const auto may = [](const std::vector<double>& elements, model::Operator op) {
    return mayOverflow(experimentOf(elements, op));
  };
  EXPECT_TRUE(may({1e308, -1e308, 1e308}, model::Operator::Add));
  EXPECT_FALSE(may({1e307, -1e307, 1e307}, model::Operator::Add));
  EXPECT_TRUE(may({1e-200, 1e200, 1e200}, model::Operator::Multiply));
  EXPECT_FALSE(may({1e-200, 1e-200, 1e300, 0}, model::Operator::Multiply));
  EXPECT_TRUE(may({kInf}, model::Operator::Add));
  EXPECT_FALSE(may({kInf}, model::Operator::Max));
  EXPECT_TRUE(mayOverflow(experimentOf<float>({1e30f, 1e30f}, model::Operator::Multiply)));
  EXPECT_FALSE(mayOverflow(experimentOf<float>({}, model::Operator::Multiply)));
  EXPECT_FALSE(mayOverflow(
      {.variant = "any", .type = model::ElementType::Int, .op = model::Operator::Multiply, .elements = 100}));
}

// The kernels themselves: what they make of -0 is right by these rules, whether they fill up with 0 or not.
TEST(Kernels, KeepNegativeZeros) {
  const auto engine = host::makeHostEngine();
  int negative = 0, positive = 0;
  for (const kernels::Variant& variant : kernels::catalog()) {
    if (variant.isWrong() || variant.merges()) continue;
    for (const model::Operator op :
         {model::Operator::Add, model::Operator::Multiply, model::Operator::Min, model::Operator::Max})
      for (const std::uint64_t n : {1u, 100u, variant.defaultThreads * variant.launch.elementsPerThread}) {
        if (!variant.offers(model::ElementType::Double, op)) continue;
        model::Experiment experiment = experimentOf(std::vector<double>(n, -0.0), op);
        if (op == model::Operator::Min || op == model::Operator::Max) {
          model::GivenData mixed = *experiment.given.get();
          for (std::size_t i = 0; i < n; i += 2) mixed.values[i] = 0;
          experiment.given = model::SharedData(std::move(mixed));
        }
        experiment.variant = variant.id;
        experiment.threads = variant.defaultThreads;
        JobControl job;
        const auto trace = engine->record(experiment, job);
        ASSERT_TRUE(trace) << trace.error().sentence;
        EXPECT_TRUE(trace->ok) << variant.id << " " << model::nameOf(op) << " n=" << n << ": "
                               << trace->result << " for " << trace->expected << ": " << trace->checkNote;
        EXPECT_EQ(trace->result, trace->expected) << variant.id << " " << model::nameOf(op);
        ++(trace->result == "-0" ? negative : positive);
      }
  }
  EXPECT_GT(negative, 0);
  EXPECT_GT(positive, 0);
}

}  // namespace
}  // namespace stridescope::engine
